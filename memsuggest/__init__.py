"""Turn what people tell their coding assistants into reviewable edits of their customization files."""

__version__ = "0.2.0"
