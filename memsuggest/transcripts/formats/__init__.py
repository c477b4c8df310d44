"""The transcript formats: a module or a folder for each assistant, and the `table` that lists them."""
