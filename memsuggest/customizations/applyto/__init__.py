"""`applyTo`: which files a pattern covers, in both dialects, and how a portable one is made."""

from memsuggest.customizations.applyto.pattern_matching import (
    Difference,
    differences,
    is_unconditional,
    matching_pattern,
    patterns_of,
)
from memsuggest.customizations.applyto.portable_patterns import infer, portable

__all__ = [
    "Difference",
    "differences",
    "infer",
    "is_unconditional",
    "matching_pattern",
    "patterns_of",
    "portable",
]
