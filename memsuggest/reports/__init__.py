"""Reports of workflows, as values; `render` turns them into text.

Every report names only what a person may see: texts in here are redacted, but not yet made safe for a terminal.
"""
