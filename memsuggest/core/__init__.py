"""Values, text, git, databases, settings, redaction and pages: what every room stands on. Knows no feature."""
