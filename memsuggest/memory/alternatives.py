"""Things of which one chooses one: tools for one job, units, languages. Tables."""

from __future__ import annotations

ALTERNATIVES = {
    "package manager": "npm pnpm yarn bun",
    "Python package manager": "pip poetry uv pipenv conda pdm",
    "Python type checker": "mypy pyright pyre",
    "linter": "eslint biome tslint standard",
    "Python linter": "ruff flake8 pylint",
    "formatter": "prettier dprint",
    "Python formatter": "black yapf autopep8",
    "test runner": "jest vitest mocha jasmine ava",
    "Python test runner": "pytest unittest nose",
    "browser tests": "cypress playwright selenium puppeteer",
    "indentation": "tabs spaces tab space",
    "quotes": "single double",
    "letter case": "snake_case camelcase pascalcase kebab-case snake camel pascal kebab",
    "module system": "esm commonjs cjs",
    "exports": "named default",
    "branching": "rebase merge squash",
    "line ends": "lf crlf",
    "HTTP client": "axios fetch requests httpx aiohttp urllib",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "database": "postgres mysql sqlite mariadb mongodb mssql oracle",
    "styling": "tailwind bootstrap css-modules styled-components sass",
    "state": "redux zustand mobx jotai recoil",
    "UI framework": "react vue svelte angular solid",
    "markup": "markdown restructuredtext asciidoc rst",
    "build tool": "make just task bazel",
    "JVM build": "gradle maven",
    "dates": "moment dayjs date-fns luxon",
    "containers": "docker podman",
    "spelling": "american british",
    "language": "english german french spanish portuguese japanese chinese italian dutch",
    "keyword": "let var const",
    "typing": "interface type interfaces types",
    "unit of length": "metre centimetre millimetre inches feet",
    "unit of time": "second millisecond microseconds nanoseconds",
    "unit of temperature": "celsius fahrenheit kelvin",
}
"""What one chooses one of. A rule that chooses one says no to the others of its group."""

TOOLS = frozenset(
    member
    for group, members in ALTERNATIVES.items()
    if group not in ("indentation", "quotes", "exports", "branching", "spelling", "language", "keyword", "typing")
    and not group.startswith("unit of ")
    for member in members.split()
) - {"standard", "requests", "fetch", "black", "make", "just", "task", "solid", "state", "oracle"}
"""Names of tools: two rules that name different ones are two rules."""

TOPICS = {
    "package manager": "install installs dependency script package manager",
    "Python package manager": "install dependency package manager environment venv",
    "indentation": "indent width",
    "quotes": "quote string",
    "test runner": "test runner",
    "Python test runner": "test runner",
    "browser tests": "test browser",
    "letter case": "case",
    "line ends": "ending end",
    "linter": "lint linter",
    "Python linter": "lint linter",
    "formatter": "format formatter",
    "Python formatter": "format formatter",
    "Python type checker": "type check checker",
    "markup": "format",
    "branching": "branch pull request",
}
"""Words that say no more than which group is meant: "Use tabs" and "Use spaces for indentation" clash."""
