"""Where memsuggest meets other programs."""
