(() => {
  "use strict";
  const root = document.documentElement;
  const store = {
    get() { try { return localStorage.getItem("memsuggest-theme"); } catch { return null; } },
    set(value) { try { localStorage.setItem("memsuggest-theme", value); } catch { /* a file may have no storage */ } },
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const theme = document.getElementById("theme");
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  if (["light", "dark"].includes(store.get())) root.dataset.theme = store.get();
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    store.set(root.dataset.theme);
    name();
  });
  dark.addEventListener("change", name);
  name();
  const all = document.getElementById("unfold");
  all.addEventListener("click", () => {
    const open = all.getAttribute("aria-pressed") !== "true";
    for (const one of document.querySelectorAll("main details")) one.open = open;
    all.setAttribute("aria-pressed", String(open));
  });
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  document.getElementById("tools").hidden = false;
})();
