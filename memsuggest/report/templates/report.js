(() => {
  "use strict";
  const root = document.documentElement;
  const one = (id) => document.getElementById(id);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const name = () => { one("theme").textContent = isDark() ? "Light" : "Dark"; };
  one("theme").addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
  dark.addEventListener("change", name);
  name();
  const open = (is) => { for (const part of document.querySelectorAll("main details")) part.open = is; };
  one("unfold").addEventListener("click", (event) => {
    const is = event.target.getAttribute("aria-pressed") !== "true";
    open(is);
    event.target.setAttribute("aria-pressed", String(is));
  });
  one("filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.toLowerCase().includes(word));
    for (const part of document.querySelectorAll("main .item, main tbody tr")) part.hidden = !has(part.textContent);
    open(words.length > 0);
  });
  for (const head of document.querySelectorAll("thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const body = head.closest("table").tBodies[0];
      const up = head.getAttribute("aria-sort") !== "ascending";
      const key = (row) => {
        const cell = row.cells[head.cellIndex];
        const text = cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
        return head.classList.contains("num") ? [parseFloat(text.replace(/,/g, "")) || 0, text] : [0, text];
      };
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => (a[0] - b[0] || a[1].localeCompare(b[1])) * (up ? 1 : -1));
      body.append(...rows.map(([, row]) => row));
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
    });
  }
  for (const command of document.querySelectorAll("code.copied")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.className = "copy";
    command.after(" ", button);
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(command.textContent); button.textContent = "Copied"; } catch {
        getSelection().selectAllChildren(command); // where a file may not write there, it can be copied by hand
      }
    });
  }
  const reveal = () => {
    const target = location.hash.length > 1 && one(decodeURIComponent(location.hash.slice(1)));
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  one("tools").hidden = false;
})();
