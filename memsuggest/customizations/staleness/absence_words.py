"""Words of lines that name what need not be there: it is gone already, to come, or made. Pure."""

from __future__ import annotations

import re

_SPAN = re.compile(r"`[^`\n]{1,200}`")
_LINK_PLACE = re.compile(r"\]\([^)\n]{1,300}\)")
_SPEAKS_OF_ABSENCE = re.compile(
    r"""\b (?: removed? | removing | delete[sd]? | deprecated | rename[sd]? | moved | migrated? | replaced | legacy
      | former(?:ly)? | previous(?:ly)? | used \s to | no \s longer | planned | future
      | \w+n['’]t | cannot | never | not? | nothing | nobody | none | avoid | instead \s of | without
      | gone | (?:got|get|gets) \s rid | drop(?:s|ped)? | again | back
      | e\.g | for \s example | such \s as | like | similar | suggest | optional(?:ly)? | exists? | existing
      | compiled | create[sd]? | creating | generate[sd]? | outputs? | produce[sd]? | save[sd]?
      | weg | nicht | kein\w* | nie | niemals | niemand | nirgends | ohne | vermeide\w* | entfern\w* | gelöscht\w*
      | ersetz\w* | umbenannt | veraltet\w* | früher\w* | statt | (?:an)?legt? | erstell\w* | erzeug\w*
      | n['’]\w+ | ne | pas | jamais | rien | sans | évite\w* | supprim\w* | remplac\w* | ancien\w* | cré[eé]\w*
      | nunca | jamás | nada | nadie | sin | evit\w+ | elimin\w+ | borr\w+ | reemplaz\w+ | antigu\w+ ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of lines that name something which need not be there, whatever was there once; in four languages."""
_MAY_BE_TO_COME = re.compile(
    r"""\b (?: write | writes | add | adds | adding | new | if | when | whether | prior | search | looks? \s for
      | put | puts | place[sd]? | store[sd]? | goes | go | belongs? | keep | kept | record(?:s|ed)? | log | logs
      | track(?:s|ed)? | document | publish | report | reports | drafts? | per
      | nam(?:ed?|es|ing) | lives? \s under | endpoints? | routes? | urls? | imports? | repository | repo
      | has \s its ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of lines that may name what is to come: only what was there once is gone, then."""


def speaks_of_absence(line: str) -> bool:
    """Tell whether a line says that what it names is gone, forbidden, made or an example; the names say nothing.

    >>> speaks_of_absence("Never use `src/old.py`"), speaks_of_absence("Read `src/legacy.py` first")
    (True, False)
    """
    return _SPEAKS_OF_ABSENCE.search(_LINK_PLACE.sub("]", _SPAN.sub("`…`", line))) is not None


def may_be_to_come(line: str) -> bool:
    """Tell whether a line may name what is to be made: it is gone only if it was there once."""
    return _MAY_BE_TO_COME.search(line) is not None
