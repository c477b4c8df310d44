"""`python -m memsuggest`."""

from memsuggest.cli import main

main()
