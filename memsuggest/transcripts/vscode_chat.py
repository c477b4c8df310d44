"""The name under which others replay VS Code's append log: a contract, so it stays."""

from memsuggest.transcripts.formats.vscode import replay

__all__ = ["replay"]
