"""Takes secrets and personal data out of texts, and invisible characters too. Pure: text in, text out."""

from memsuggest.redact.found import Finding, Redacted
from memsuggest.redact.hidden import clean, hidden_characters, is_hidden
from memsuggest.redact.rule_without_secrets import without_redacted
from memsuggest.redact.rules import redact

__all__ = ["Finding", "Redacted", "clean", "hidden_characters", "is_hidden", "redact", "without_redacted"]
