"""Pull requests: what was changed, what waits for those files, and telling the pull request."""
