"""Surroundings: what stands around a remark and speaks for or against it.

Owns small readings of the turn, of the sentence before and behind, and of what the assistant had just said. A rule told
in passing is mostly told because of something: the assistant did it otherwise, somebody objects, it is to be mended.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.extraction.language.grammar import is_order, subject_kind
from memsuggest.extraction.language.phrases import NORM
from memsuggest.extraction.language.trade import content_words
from memsuggest.extraction.policy import is_forbidding, is_norm_for_a_kind, lasts
from memsuggest.text.words import plain, word_list

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_HEARD = 2000  # characters at the end of what the assistant said
_FEW = 8  # words of a sentence that only objects or only orders a change
_OBJECTS = re.compile(
    r"\A(?:no+|nope|nah|wait|wtf|why|stop|not|don't|hm+|ugh|again|please don't|you|oh no|ah non|non|nein|bitte nicht"
    r"|warum|nee|não|por que|pourquoi|por qué)(?![\w'])"
)
_MENDS = re.compile(
    r"\A(?:(?:please|so|and|then|now|ok|just|also|bitte|por favor)[, ]+){0,3}(?:(?:can|could) you )?(?:please )?"
    r"(?:fix|change|redo|undo|revert|remove|move|put|rename|adjust|drop|rewrite|correct|replace|restore|switch|swap"
    r"|use (?:that|this|these|those|it)|do (?:it|that)|update (?:it|that|yours)|add (?:it|one|that)|redo"
    r"|mach das|bitte|zurück|korrigier|ändere|nimm|corrige|remets|refais|déplace|change|cámbialo|corrígelo|muévelo"
    r"|troca|arruma|corrige|tira|move)(?![\w'])"
    r"|\A(?:直して|修正して|戻して|改一下|改成|修改)"
)
_SO_DO = re.compile(
    r"\A(?:(?:please|so|and|then|just)[, ]+){0,3}(?:don't |do not |never |you can |no need to )?"
    r"(?:edit|touch|change|commit|delete|modify|import|look|check|use|take|open|run|call|be surprised|go|see|rename)"
    r"(?: (?:it|them|that|there|this|those|in there|here|if)\b|[.!]*\Z)"
)
"""What follows from a telling: "the file is generated, so don't edit it"."""
_SO = re.compile(
    r"\A(?:so|that means|which means|also bedeutet|donc|entonces|então)(?![\w'])(?! (?:please|always|never|don't"
    r"|do not|use|keep|only|no)\b)"
)
_HAPPENS = re.compile(
    r"\b(?:always|never|every time|immer|nie|toujours|jamais|siempre|nunca|sempre) (?:\w+ly )?"
    r"(?!(?:is|has|does|needs?|uses|means|lives)\b)(?:\w{2,}(?:s|ed)|gets?|got|went|saw|ran|made)\b"
    r"|\b(?:is|are|was|were|gets?) (?:always|never) (?:\w+ed|\w+ing|there|empty|null|true|false|enabled|disabled"
    r"|called|run|set|shown|hidden|zero|sent|hit)\b|\byou (?:always|never) (?:get|see|have|know|hear|end up)\b"
)
_MUCH = 6  # statements of a turn
_WE = re.compile(r"\b(?:we|our|wir|unsere?|nous|on|nosotros|nós|nosso|nossa)\b")
_OUR_WAY = re.compile(
    r"we (?:always |never |only |usually )?(?:use|follow|keep|write|deploy|target|support|avoid|stick)\b"
)
_SAID_OF_ONE = re.compile(
    r"(?:the|this|that|these|those|it|they) (?:[\w`./-]+ ){0,3}?(?:always|never) (?!(?:be|to|the|a"
    r"|an|in|on|at|from|with)\b)[a-z]+"
    r"(?<!ed)(?<!written)(?<!kept)\b"
)
"""Always and never of what is there: "the tests never check the token"."""
_HAPPENS_ELSEWHERE = re.compile(
    r"\b(?:immer|nie|siempre|nunca|sempre|toujours|jamais) (?:nur |se |me |la |le |os? |as? )?(?:kaputt|leer|rot|null"
    r"|falla|falha|sale|sai|aparece|vuelve|volta|vem|viene|pierde|perde|quebra|da (?:error|erro)"
    r"|dá (?:erro|ruim)|échoue"
    r"|plante|affiche|revient|fehl\w+|zeigt|kommt|liefert|bricht|steht|verschwindet)\b"
    r"|(?:总是|老是|每次都)(?!用|使用|要|先|在|保持|以|把|写|返回|应|得|需)"
    r"|(?:いつも|毎回)[^。]*(?:なる|なります|出る|出ます|落ち|失敗|エラー|遅い|消え|ずれ)"
)
_SUPPOSES = re.compile(
    r"\A(?:if|when|once|as soon as|in case|suppose|say|wenn|falls|si|cuando|quando|se) "
    r"(?:we|it|they|he|she|the|a user|an? \w+|there|one|somebody|someone|nothing|something|two|both|man|der|die|das|le"
    r"|la|el|o)\b"
)


def opens_the_session(remark: Remark) -> bool:
    """Whether it stands among others in the first turn, where people say what they want to be done."""
    if not remark.is_first or remark.answered or remark.statement.count == 1:
        return False
    return not (is_forbidding(remark) or _OUR_WAY.match(remark.core) or (lasts(remark) and is_order(remark.main)))


def is_about_what_was_said(remark: Remark) -> bool:
    """Whether it takes up a word of what the assistant had just said."""
    if not remark.answered:
        return False
    return not content_words(remark.plain).isdisjoint(_content_of(remark.answered[-_HEARD:]))


@lru_cache(maxsize=256)
def _content_of(answer: str) -> frozenset[str]:
    return frozenset(content_words(plain(answer)))


def follows_an_objection(remark: Remark) -> bool:
    """Whether the sentence before it in the turn only objects."""
    before = plain(remark.statement.before) if remark.statement.position else ""
    return bool(before) and len(word_list(before)) <= _FEW and bool(_OBJECTS.match(before))


def is_reason_to_mend(remark: Remark) -> bool:
    """Whether the sentence behind it orders that something be changed: it says what the change follows from."""
    after = plain(remark.statement.after)
    if not after or len(word_list(after)) > _FEW or is_order(remark.main):
        return False
    return bool(_MENDS.match(after) or _SO_DO.match(after))


def concludes(remark: Remark) -> bool:
    """Whether it only draws a conclusion."""
    return bool(_SO.match(remark.plain))


def tells_what_happens(remark: Remark) -> bool:
    """Whether always and never tell what one thing happens to do: the queue never drains."""
    if is_order(remark.main) or NORM.search(remark.plain):
        return False
    if (_SAID_OF_ONE.match(remark.core) and subject_kind(remark.core) != "kind") or _HAPPENS_ELSEWHERE.search(
        remark.plain
    ):
        return True
    return bool(_HAPPENS.search(remark.plain)) and subject_kind(remark.core) != "kind"


def asks_of_one_thing(remark: Remark) -> bool:
    """Whether it says what one thing here, or what "it" stands for, should or must do."""
    if is_order(remark.main) or remark.is_assured or not NORM.search(remark.plain) or is_norm_for_a_kind(remark):
        return False
    return subject_kind(remark.core) in ("one", "it")


def tells_amid_much(remark: Remark) -> bool:
    """Whether it tells how something is in a turn that says a lot: there, people describe what they see or plan."""
    if remark.statement.count <= _MUCH or lasts(remark) or is_order(remark.main):
        return False
    return not NORM.search(remark.plain) and not _WE.search(remark.plain)


def supposes(remark: Remark) -> bool:
    """Whether it thinks through what should happen in a case: if we lose the lock, the worker should stop."""
    return bool(_SUPPOSES.match(remark.core)) and not is_order(remark.main)
