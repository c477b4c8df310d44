"""The front matter of a customization file: read as the hosts read it, edited by the line. Pure.

A header exists only where the very first line is `---`; it ends at the next such line, and without one the whole file
is header. What stands in it is read by the hosts' own rules (`header_values`), which are not YAML's. Reading never
fails. An edit touches one attribute and keeps every other byte; it is read back before it is returned, so that no value
can break out of its place.
"""

from memsuggest.customizations.frontmatter.edit_attributes import (
    quoted,
    rename_attribute,
    set_attribute,
    write_header,
)
from memsuggest.customizations.frontmatter.parse_header import FrontMatter, parse, plain_value, split_list

__all__ = [
    "FrontMatter",
    "parse",
    "plain_value",
    "quoted",
    "rename_attribute",
    "set_attribute",
    "split_list",
    "write_header",
]
