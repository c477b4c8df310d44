"""The uses of memsuggest, a module each; each reads like the README and opens nothing itself."""
