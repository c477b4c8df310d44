"""Corrections: from what the assistant did wrong to a rule that stands alone, or to nothing.

"you edited the main file, not the copy" becomes "Edit the copy, not the main file"; "why did you delete the fixtures?"
becomes "Do not delete the fixtures". Where the right way was not said, the wrong one is forbidden; where neither is
clear ("no, the other way round"), there is no rule.
"""

from __future__ import annotations

import re

from memsuggest.extraction.language.verbforms import base_of
from memsuggest.text.verbs import VERBS

_YOU = r"(?:no[,.:]? |ok[,.]? |hey[,.]? |but |and |so |again[,.]? |still[,.]? )*"
_REST = r"(?P<what>[^?]{2,200}?)[?.! ]*$"

_DID_NOT = re.compile(
    rf"^{_YOU}you (?:still |again |just )?(?:didn't|did not|haven't|have not|don't) (?:even )?"
    rf"(?!(?:have|need) to\b|need\b)(?P<verb>\w+) {_REST}",
    re.IGNORECASE,
)
_IS_NOT_DOING = re.compile(
    (
        rf"^{_YOU}(?:i (?:suspect|think|see|notice) )?(?:that )?you(?:'re| are|'ve been)? (?:still |again )?not "
        rf"(?P<verb>\w+ing) {_REST}"
    ),
    re.IGNORECASE,
)
_FAILED = re.compile(
    rf"^{_YOU}you(?:'ve| have)? (?:again |also |once again |still |always "
    rf"|constantly )?(?P<verb>forg[eo]t(?:ten)?|missed|skipped"
    rf"|omitted|ignored|broke|removed"
    rf"|deleted|dropped|hardcoded|duplicated|overlooked|neglected|left out|reintroduced|lost)(?: again| about| "
    rf"to (?P<to>\w+))? {_REST}",
    re.IGNORECASE,
)
_IS_DOING = re.compile(
    (
        rf"^{_YOU}you(?:'re| are|r) (?:still |again |now |once again )?(?P<verb>(?!going|doing|getting"
        rf"|right)\w+ing) {_REST}"
    ),
    re.IGNORECASE,
)
_IS_SOMEWHERE = re.compile(rf"^{_YOU}you(?:'re| are) (?:still |again )?(?:in|on|at) ", re.IGNORECASE)
_KEEP = re.compile(rf"^{_YOU}you (?:keep|kept|are still|still keep) (?:on )?(?P<verb>\w+ing) {_REST}", re.IGNORECASE)
_WHY_NOT = re.compile(rf"^{_YOU}why (?:didn't|did not|don't|haven't) you (?P<verb>\w+) {_REST}", re.IGNORECASE)
_WHY = re.compile(
    (
        rf"^{_YOU}(?:why (?:on earth |the \w+ |in the world )?(?:did|do|would|are) you|did you (?:really "
        rf"|actually |even )?(?:need|have) to"
        rf"|did you (?:seriously|really|actually)(?: just)?) (?:still |even "
        rf"|just |again |always |keep (?:on )?)?(?P<verb>\w+) {_REST}"
    ),
    re.IGNORECASE,
)
_NOT_ASKED = re.compile(
    rf"^{_YOU}i (?:(?:didn't|did not) (?:ask|want|tell)|never (?:asked|wanted"
    rf"|told))(?: for)?(?: you)? (?:to )?(?P<verb>\w+) {_REST}",
    re.IGNORECASE,
)
_ONLY_WANTED = re.compile(
    (
        rf"^{_YOU}i (?:only|just) (?:wanted|asked|want|meant)(?: for)? (?:you )?to (?P<verb>\w+) "
        rf"(?P<what>[^?,]{{2,120}}),? (?:and )?not (?:to )?(?P<other>[^?]{{2,120}}?)[?.! ]*$"
    ),
    re.IGNORECASE,
)
_DID_AGAIN = re.compile(
    rf"^{_YOU}(?:i (?:see|saw|notice|noticed) (?:that )?)?you(?:'ve| have)? (?:again |still "
    rf"|once again )(?P<verb>\w+ed|wrote|put|made"
    rf"|ran) {_REST}"
    rf"|^(?:i (?:see|saw|notice|noticed) (?:that )?|(?:and |but )?again,? )you(?:'ve| have)? (?P<done>\w+ed|wrote"
    rf"|put|made|ran)"
    r" (?P<thing>[^?]{2,200}?)(?: again)?[?.! ]*$",
    re.IGNORECASE,
)
_DID_THIS_NOT_THAT = re.compile(
    rf"^{_YOU}you(?:'ve| have|'re| are)? (?:just |only |still |again )?(?P<verb>\w+) "
    rf"(?P<what>[^?]{{2,120}}?)(?:,| and| but)+ not (?P<other>[^?.;]{{2,100}}?)"
    r"(?: one)?[?.! ]*(?:be more careful)?[?.! ]*$",
    re.IGNORECASE,
)
_WHY_THIS_NOT_THAT = re.compile(
    (
        rf"^{_YOU}why did you (?P<verb>\w+) (?P<what>[^?]{{2,120}}?),? (?:and not|instead of|rather than|not) "
        rf"(?P<other>[^?]{{2,100}}?)[?.! ]*$"
    ),
    re.IGNORECASE,
)
_THING = r"(?:the |an? )?[\w`./@+-]+(?: [\w`./@+-]+){0,2}"
_BARE_CHOICE = re.compile(
    rf"^(?!(?:no|nope|yes|ok|well|but|and|so|hm+|uh|um|not|just|thats?|that's|like|as|such as|e\.g\."
    rf"|for example) )(?P<what>{_THING})(?P<how>,? (?:and )?not|,? instead of"
    rf"|,? rather than) (?P<other>{_THING})[.! ]*$",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?P<thing>.+?) (?P<prep>in|into|to|on|onto|under|at|from|with) (?P<place>(?:the |an? |your |my |our "
    r")?[^,]+)$"
)
_LEADING_PLACE = re.compile(r"^(?:in|into|to|on|onto|under|at|from|with) ", re.IGNORECASE)
_POINTING = re.compile(r"^(?:it|this|that|these|those|them|so|what|anything|everything|nothing|all)\b", re.IGNORECASE)
_NAMELESS = re.compile(
    r"(?<!like )(?<!than )(?<!replaces )\b(?:the other (?:one|way|direction)|other way (?:a?round)|the opposite"
    r"|the first one|the second one)\b",
    re.IGNORECASE,
)
_TELLING = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "must",
        "should",
        "can",
        "may",
        "will",
        "does",
        "do",
        "use",
        "uses",
        "get",
        "gets",
        "go",
        "goes",
        "it",
        "they",
    ]
)
_LEAVING = {"forgot": "forget", "forgotten": "forget", "left out": "leave out", "missed": "miss"}


def as_correction(text: str) -> str | None:
    """Turn a complaint into a rule; "" where it cannot stand alone, None where it is no complaint."""
    if _NAMELESS.search(text) or _IS_SOMEWHERE.match(text):
        return ""
    for pattern, form in _FORMS:
        found = pattern.match(text)
        if found:
            groups = {name: value or "" for name, value in found.groupdict().items()}
            return "" if _POINTING.match(groups["what"]) else form(groups)
    return None


def _do(found: dict[str, str]) -> str:
    return f"{base_of(found['verb']) or found['verb']} {found['what']}"


def _do_not(found: dict[str, str]) -> str:
    """ "you're editing the copy but nobody reads it": do not edit the copy; nobody reads it."""
    what = re.sub(r",? but (?=(?:the|it|we|that|this|there|nobody|our) )", "; ", found["what"], count=1)
    return f"Do not {base_of(found['verb']) or found['verb']} {what}"


def _not_forget(found: dict[str, str]) -> str:
    if found["to"]:
        return f"{found['to']} {found['what']}"
    verb = found["verb"].lower()
    what = re.sub(r"^(?:again|about) ", "", found["what"], flags=re.IGNORECASE)
    return f"Do not {_LEAVING.get(verb) or base_of(verb) or verb} {what}"


def _unless_asked(found: dict[str, str]) -> str:
    """ "i didn't ask for a flag": do not add a flag unless asked."""
    verb = found["verb"].lower()
    if verb in ("a", "an", "the", "any", "another", "more"):
        return f"Do not add {verb} {found['what']} unless asked"
    return f"{_do_not(found)} unless asked"


def _only(found: dict[str, str]) -> str:
    return f"When asked to {found['verb']} {found['what']}, only do that: do not {found['other']}"


def _rather(found: dict[str, str]) -> str:
    """ "edited the main file, not the copy": edit the copy, not the main file."""
    verb = base_of(found["verb"])
    place = _PLACE.match(found["what"])
    if not verb:
        return ""
    if place and not _PLACE.match(f"x {found['other']}"):
        other = f"{place['prep']} {found['other']}"
        return f"{verb} {place['thing']} {other}, not {place['prep']} {place['place']}"
    return f"{verb} {found['other']}, not {found['what']}"


def _instead(found: dict[str, str]) -> str:
    """ "why did you commit to main and not to a branch": commit to a branch, not to main."""
    first, _, rest = found["other"].partition(" ")
    if first.lower().endswith("ing") and base_of(first) in VERBS:
        return f"Do not {found['verb']} {found['what']}; {base_of(first)} {rest}"
    place = _PLACE.match(f"x {found['what']}")
    if place and place["thing"] == "x":
        return f"{found['verb']} {place['prep']} {_LEADING_PLACE.sub('', found['other'])}, not {found['what']}"
    return f"{found['verb']} {found['other']}, not {found['what']}"


def _not_again(found: dict[str, str]) -> str:
    """ "again you used lambdas": do not use lambdas."""
    verb = base_of(found["verb"] or found["done"])
    what = re.sub(r" again$", "", found["what"] or found["thing"])
    return "" if _POINTING.match(what) else f"Do not {verb} {what}"


def _choose(found: dict[str, str]) -> str:
    words = f"{found['what']} {found['other']}".lower().split()
    if any(word in VERBS or word in _TELLING for word in words):
        return f"{found['what']}{found['how']} {found['other']}"
    return f"Use {found['what']}{found['how']} {found['other']}"


_FORMS = (
    (_WHY_THIS_NOT_THAT, _instead),
    (_ONLY_WANTED, _only),
    (_DID_NOT, _do),
    (_IS_NOT_DOING, _do),
    (_FAILED, _not_forget),
    (_KEEP, _do_not),
    (_DID_AGAIN, _not_again),
    (_IS_DOING, _do_not),
    (_WHY_NOT, _do),
    (_WHY, _do_not),
    (_NOT_ASKED, _unless_asked),
    (_DID_THIS_NOT_THAT, _rather),
    (_BARE_CHOICE, _choose),
)
