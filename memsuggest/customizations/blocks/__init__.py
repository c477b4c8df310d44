"""Markdown as blocks: what a line can be, which lines make one block, which blocks make a section. Pure."""
