"""What memsuggest does, one module per main use; each reads like the README and opens nothing itself."""
