"""Takes secrets and personal data out of texts, and invisible characters too. Pure: text in, text out."""

from memsuggest.core.redact.redaction_rules import redact, without_redacted
from memsuggest.core.redact.scan import Finding, Redacted
from memsuggest.core.text.invisible_characters import clean, hidden_characters, is_hidden

__all__ = ["Finding", "Redacted", "clean", "hidden_characters", "is_hidden", "redact", "without_redacted"]
