"""Policy: what counts as asked, single, passing, unsure, generic. Free functions, one thought each.

Each takes a remark and answers yes or no; the rules give them weight. Reading this file is reading what memsuggest
believes about people's sentences.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.grammar import is_done_once, is_order, object_kind, subject_kind, tokens, verb_of

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_ASKING = {
    "en": re.compile(
        r"^(?:(?:so|and|but|ok|okay|also|then|hmm+|uhh*|wait|well|lol|oh|yes|no|q|question)[:, ]+)*"
        r"(?:what|where|when|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|can|could|would|will"
        r"|should|shall"
        r"|has|have|had|isn't|aren't|wasn't|don't we|don't you|doesn't|didn't|won't|shouldn't|couldn't|any"
        r"|what's|where's|how's)\b"
    ),
    "de": re.compile(
        r"^(?:was|wo|wann|wer|welche[rsmn]?|warum|wieso|wie|ist|sind|kann|können|soll(?:en)?|hast|habt|gibt)\b"
    ),
    "fr": re.compile(r"^(?:que|quoi|où|quand|qui|quel(?:le)?s?|pourquoi|comment|est-ce|peut-on|faut-il)\b"),
    "es": re.compile(r"^¿|^(?:qué|dónde|cuándo|quién|cuál(?:es)?|por qué|cómo)\b"),
    "pt": re.compile(r"^(?:o que|que|onde|quando|quem|qual|quais|por que|pq|como|tem como|devo|posso|será)\b"),
}
_ASKS_AT_END = re.compile(
    r"[?\uff1f][)\"'*_ ]*(?:[\U0001f000-\U0001ffff\u2600-\u27bf]\s*)?$|(?:か|かな|ですか|吗|呢)[。？?]?$"
)
_COUNTS_AS_ASKED = re.compile(
    r"^(?:what|where|who|whom|whose|which|why|how|is there|are there|does|did|do we|do you)\b"
)

_TRANSIENT = {
    "en": re.compile(
        r"\b(?:now|currently|still|already|right now|just now|at the moment|so far|as of now|thus far|ago"
        r"|yesterday|earlier|again"
        r"|is (?:\w+ing|done|ready|running|failing|green|red|broken|merged|gone|fixed)|are (?:\w+ing|done"
        r"|failing|broken)"
        r"|(?:has|have) (?:just|been \w+ed)|was \w+ing|were \w+ing|got (?:merged|stuck|an? )|getting|happened"
        r"|happening)\b"
    ),
    "de": re.compile(r"\b(?:jetzt|gerade|aktuell|momentan|schon|bereits|gestern|wieder|noch)\b"),
    "fr": re.compile(r"\b(?:maintenant|actuellement|encore|déjà|hier)\b"),
    "es": re.compile(r"\b(?:ahora(?! en)|actualmente|todavía|aún|ya|ayer|otra vez)\b"),
    "pt": re.compile(r"\b(?:agora(?! em)|atualmente|ainda|já|ontem|de novo|quase|está \w+ndo|estou \w+ndo)\b"),
    "ja": re.compile(r"今|現在|まだ|もう|昨日|さっき|ている$"),
    "zh": re.compile(r"现在(?!起|开始)|目前|还在|已经|刚才|刚刚|昨天"),
}
_HEDGED = {
    "en": re.compile(
        r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|i suppose|i wonder|wondering|i believe|i "
        r"suspect|i feel like|not sure|unsure"
        r"|might|could|seems?|sort of|kind of|i'm thinking|thinking aloud|i assume|presumably|i imagine"
        r"|hopefully|in theory"
        r"|would be (?:nice|good|great|cool|helpful|better)|what if|how about|what about|or something|if you "
        r"want|if you like"
        r"|up to you|your call|whatever|worth|mildly|potentially|hypothetical\w*)\b|_\w+_"
    ),
    "de": re.compile(
        r"\b(?:vielleicht|wahrscheinlich|eventuell|ich glaube|ich denke|vermutlich|könnte|evtl|eigentlich|oder so)\b"
    ),
    "fr": re.compile(r"\b(?:peut-être|probablement|je pense|je crois|il me semble|pourrait|éventuellement)\b"),
    "es": re.compile(r"\b(?:quizás?|tal vez|probablemente|creo que|pienso|podría|a lo mejor|supongo)\b"),
    "pt": re.compile(r"\b(?:talvez|provavelmente|acho que|penso|poderia|quem sabe|creio)\b"),
    "ja": re.compile(r"かも|たぶん|と思う|と思います|でしょうか"),
    "zh": re.compile(r"也许|可能|大概|我觉得|我想|好像|或许"),
}
_REPORTS = {
    "en": re.compile(
        r"\bi(?:'ve| have)? (?:just |already |also |now |recently )*(?:\w+ed|did|made|ran|got|put|saw|found"
        r"|see|had|went|wrote|built|took|opened"
        r"|noticed|tried|forgot|broke|don't see|can't see|cannot)\b(?! you)|\bi(?:'ll| will|'m going to| am "
        r"going to|'m \w+ing| am \w+ing)\b(?! on \w)"
        r"|\bi was\b|\bwe(?:'ve| have) (?:just |already )?\w+ed\b|\bwe(?:'re| are) (?:\w+ing)\b|\b(?:he|she"
        r"|they) \w+(?:ed|s)\b"
    ),
    "de": re.compile(r"\bich (?:habe|hab|war|bin|werde)\b"),
    "fr": re.compile(r"\bj'ai\b|\bje (?:vais|suis en train)\b"),
    "es": re.compile(r"\b(?:he|hice|acabo de|voy a|estoy \w+ndo)\b"),
    "pt": re.compile(r"\b(?:eu (?:fiz|pausei|vou|estava|estou)|acabei de|vou \w+r|estou \w+ndo|tivemos|tive)\b"),
    "ja": re.compile(r"(?:しました|した)[。]?$"),
    "zh": re.compile(r"我(?:刚|已经|在)|了[。]?$"),
}
_WORK = re.compile(
    r"\b(?:tests?|testing|tested|code|coding|commits?|committing|branch(?:es)?|merge[sd]?|pull requests?|prs?"
    r"|repo(?:sitory|s)?|functions?|methods?"
    r"|class(?:es)?|modules?|packages?|imports?|variables?|constants?|arguments?|args?|params?|parameters?"
    r"|attributes?|propert(?:y|ies)|types?|interfaces?"
    r"|enums?|structs?|decorators?|annotations?|comments?|docstrings?|docs?|documentation|readme|changelog"
    r"|files?|folders?|director(?:y|ies)|paths?|lines?|indent\w*"
    r"|tabs?|spaces?|quotes?|semicolons?|camelcase|camel case|snake_case|snake case|pascalcase|kebab|prefix\w*"
    r"|suffix\w*|nam(?:e|es|ed|ing)|rename\w*|lint\w*|format\w*"
    r"|build\w*|deploy\w*|release\w*|ci|cd|pipelines?|docker\w*|containers?|kubernetes|servers?|clients?|apis?"
    r"|endpoints?|routes?|schemas?|quer(?:y|ies)|sql|database\w*"
    r"|db|tables?|migrations?|cache\w*|log(?:s|ging|ger|gers)?|errors?|exceptions?|assert\w*|try|catch|raise"
    r"|throw|debug\w*|refactor\w*|script\w*|commands?|cli|flags?|options?"
    r"|config\w*|settings?|env|environment|dependenc(?:y|ies)|librar(?:y|ies)|frameworks?|components?|hooks?"
    r"|styles?|css|html|json|yaml|toml|xml|markdown|python|java\w*|typescript"
    r"|rust|golang|go|ruby|php|kotlin|swift|react|vue|angular|node|npm|pnpm|yarn|pip|uv|poetry|cargo|gradle"
    r"|maven|git|github|gitlab|jira|linear|bugs?|issues?|tickets?|tasks?|specs?"
    r"|rules?|agents?|prompts?|tokens?|models?|sessions?|claude|copilot|cursor|codex|assistant|answers?"
    r"|repl(?:y|ies)|respon(?:d|se|ses)|explanations?|language|english|german|french"
    r"|spanish|portuguese|jq|grep|bash|shell|terminal|browser|ui|ux|gui|buttons?|pages?|forms?|layouts?"
    r"|colou?rs?|fonts?|users?|security|secrets?|passwords?|auth\w*|http\w*|urls?"
    r"|async|await|sync|threads?|mocks?|mocking|stubs?|fixtures?|coverage|benchmarks?|performance|strings?"
    r"|numbers?|integers?|floats?|lists?|arrays?|dicts?|dictionar(?:y|ies)|maps?|loops?|lambda"
    r"|regex\w*|uppercase|lowercase|digits?|underscores?|hyphens?|dates?|timestamps?|utc|timezones?|utf|ascii"
    r"|encod\w*|generics?|null|none|undefined|var|const|let|def|architecture|patterns?|design"
    r"|implementation\w*|implement\w*|features?|projects?|codebase|apps?|applications?|services?"
    r"|microservices?|plugins?|extensions?|templates?|snippets?|workflows?|workspaces?|monorepo"
    r"|programm\w*|software|develop\w*|version\w*|upgrade\w*|install\w*|data|results?|output\w*|input\w*"
    r"|values?|keys?|fields?|columns?|rows?|objects?|instances?|inherit\w*|abstract\w*)\b"
    r"|\b(?:datei\w*|funktion\w*|klassen?|variablen?|kommentar\w*|abhängigkeit\w*|skript\w*|fehler\w*"
    r"|antwort\w*|fichiers?|fonctions?|variables?|commentaires?|erreurs?|réponses?"
    r"|archivos?|funciones?|pruebas?|errores|respuestas?|comentarios?|arquivos?|funç(?:ão|ões)|testes?|erros?"
    r"|respostas?|comentários?|código|documentaç\w*|implementaç\w*)\b"
    r"|テスト|コード|関数|変数|ファイル|コミット|クラス|コメント|ドキュメント|エラー|ログ|回答|测试|代码|函数|变量|文件|提交|注释|文档|错误|日志|数据库|回复|回答"
)
_THING = re.compile(
    r"`[^`\n]+`|(?<!\w)(?:[\w.-]+/)+[\w.-]+|(?<![\w.])[\w-]+\.(?:[a-z]{1,4}|json[cl5]?|toml|yaml|lock|mdc|html"
    r"|swift|kotlin|gradle)\b(?!\.\w)|(?<!\w)--?[a-z][\w-]+"
    r"|\b[a-z]+_[a-z0-9_]+\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|(?<!\w)[\w]*_(?!\w)|(?<!\w)_\w+|@[\w/-]+"
    r"|\b[A-Z][A-Z0-9_]{2,}=|\$[A-Z_]+|(?<!\w)\.[a-z]\w+"
)
_LASTING = re.compile(
    r"\b(?:always|never|every|each|whenever|from now on|by default|immer|nie|niemals|jedes|ab jetzt|toujours"
    r"|jamais|chaque"
    r"|siempre|nunca|cada|sempre|a partir de agora)\b|必ず|常に|毎回|总是|每次|始终"
)
_COMMANDS = re.compile(
    r"\b(?:MUST|NEVER|ALWAYS|NOT|ONLY|DON'?T|DO NOT|ANY|EVERY|ALL|NO|SHOULD|MUST NOT|THROUGH|BEFORE|FIRST|IMPORTANT)\b"
)
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_NORM = re.compile(
    r"\b(?:should|must|has to|have to|needs? to|shall|is to|are to|ought to|may not|can't|cannot|will "
    r"(?:always|never|be)|should(?:n't)?)\b"
    r"|\b(?:muss|müssen|soll|sollen|sollten?|darf|dürfen|doit|doivent|debe|deben|deve|devem)\b"
)
_RULE_FILE = re.compile(
    (
        r"@[\w/.-]+\.(?:mdc|md)\b|\b(?:according to|as per|per|follow(?:ing|s)?|see|like|as) (?:the |our "
        r")?@?(?:[\w/-]+\.(?:mdc|md)|contributing|style ?guide|conventions?|guidelines?)\b"
    ),
    re.IGNORECASE,
)
_PASTED = re.compile(
    r"^\s*(?:at |File \"|Traceback|\d{4}-\d\d-\d\d[T ]\d\d:|\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL"
    r"|TRACE)\b[\]: ]|\w*(?:Error|Exception):|npm ERR!|\$ |> |❯|⎿|│|\||\+\+\+|---|@@|diff --git|index "
    r"[0-9a-f]{7}|#\d+ |E\s{3}|FAIL\b|PASS\b|---? FAIL)"
    r"|\b(?:Low|Medium|High|Critical) Severity\b|\bThis (?:ensures|function|method|change|approach|could lead"
    r"|can cause|means that)\b"
    r"|\b(?:Consider|Note: |Suggestion:|Nit:|Recommended)\b.{10,}\b(?:should|could|instead|using|whether|if"
    r"|adding|logging)\b"
    r"|[{}]\s*$|^\s*[\"'][\w-]+[\"']\s*:|=>\s*\{|;\s*$(?<=\);)|\w+\(.*\)\s*[{;]"
    r"|^(?:You are|Act as|Your (?:role|task|job) is|Your goal)\b",
    re.MULTILINE,
)
_PERSON = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|you|your|you're|me|my|we|we're|let's|he|she|ich|du|wir|je|tu|nous|yo|tú|eu|você|vc)\b"
)
_PRESENT = re.compile(
    r"\b(?:is|are|isn't|aren't|has|have|hasn't|doesn't|don't|can|can't|cannot|does|means?|lives?|uses?|runs?"
    r"|keeps?|needs?|supports?|requires?|contains?"
    r"|holds?|owns?|handles?|stores?|belongs?|returns?|expects?|depends?|works?|comes?|goes?|takes?|provides?"
    r"|allows?|exists?|serves?|writes?|reads?|generates?|includes?|starts?|ends?"
    r"|calls?|creates?|manages?|makes?|sends?|gets?|sits?|relies|tracks?|counts?|follows?|applies|installs?"
    r"|ships?|targets?|exposes?|will)\b"
    r"|\b(?:ist|sind|hat|haben|liegt|läuft|nutzt|braucht|heißt|wird|werden)\b|\b(?:est|sont|a|ont|utilise|se "
    r"trouve)\b|\b(?:es|son|está|están|tiene|usa|usan)\b"
    r"|\b(?:é|são|está|estão|tem|têm|usa|usam|fica|ficam)\b|は.+(?:です|ます|だ|ている|ある)|是|在|有"
)


def size(remark: Remark) -> int:
    """How long it is, in words; two characters of Chinese or Japanese count as one."""
    dense = sum("\u3041" <= c <= "\u9fff" for c in remark.plain)
    return len(remark.words) + dense // 2 if dense > 4 else len(remark.words)


def is_question(remark: Remark) -> bool:
    """Whether it asks; a sentence that its turn goes on with after a comma may end elsewhere in `?`."""
    if _ASKS_AT_END.search(remark.plain):
        return True
    sentence_asks = remark.statement.sentence.rstrip(" )\"'*_").endswith(("?", "\uff1f"))
    words = any(_says(_ASKING, language, remark.core) for language in remark.languages)
    return words and (sentence_asks or bool(_COUNTS_AS_ASKED.match(remark.core)) or remark.languages == ("pt",))


def _says(table: dict[str, re.Pattern[str]], language: str, text: str) -> bool:
    return language in table and bool(table[language].search(text))


def _is_said(table: dict[str, re.Pattern[str]], remark: Remark) -> bool:
    return any(_says(table, language, remark.plain) for language in remark.languages)


def is_transient(remark: Remark) -> bool:
    """Whether it tells of the moment: what is now, still, again, or just happened."""
    return _is_said(_TRANSIENT, remark)


def is_hedged(remark: Remark) -> bool:
    """Whether the person is not sure."""
    return _is_said(_HEDGED, remark)


def is_progress_report(remark: Remark) -> bool:
    """Whether it tells what somebody did, does or will do."""
    return _is_said(_REPORTS, remark)


def lasts(remark: Remark) -> bool:
    """Whether a word says that it is meant to last: always, never, every."""
    return bool(_LASTING.search(remark.plain))


def is_one_off(remark: Remark) -> bool:
    """Whether it orders something to be done once, to one thing."""
    return (
        not lasts(remark)
        and is_order(remark.core)
        and is_done_once(remark.core)
        and object_kind(remark.core) in ("one", "some", "")
    )


def orders_something_done_once(remark: Remark) -> bool:
    """Whether it is an order whose verb ends when it is done, to whatever."""
    return is_order(remark.core) and is_done_once(remark.core)


def is_about_a_kind(remark: Remark) -> bool:
    """Whether it orders something for a kind of thing, or tells something about one."""
    if is_order(remark.core):
        return object_kind(remark.core) == "kind"
    return subject_kind(remark.core) == "kind"


def is_norm_for_a_kind(remark: Remark) -> bool:
    """Whether a whole kind of things must or should be some way."""
    return not is_order(remark.core) and subject_kind(remark.core) == "kind" and bool(_NORM.search(remark.core))


def is_telling(remark: Remark) -> bool:
    """Whether it tells in the present tense how named things are."""
    core = remark.core
    if is_order(core) or is_question(remark) or _PERSON.search(core) or subject_kind(core) in ("it", "he", "she"):
        return False
    return bool(_PRESENT.search(core)) and not is_transient(remark) and not is_hedged(remark) and size(remark) >= 4


def is_shouted(remark: Remark) -> bool:
    """Whether a word of command stands in capitals among words that do not."""
    text = remark.statement.text
    return bool(_COMMANDS.search(text)) and len(_CAPITALS.findall(text)) * 3 <= len(remark.words) * 2


def points_at_a_rule(remark: Remark) -> bool:
    """Whether it names a document of rules."""
    return bool(_RULE_FILE.search(remark.statement.text))


def names_a_thing(remark: Remark) -> bool:
    """Whether it names a file, a command, a flag, an identifier."""
    return bool(_THING.search(remark.statement.text))


def speaks_of_the_work(remark: Remark) -> bool:
    """Whether a word of the trade is in it."""
    return bool(_WORK.search(remark.plain))


def looks_pasted(remark: Remark) -> bool:
    """Whether it reads like a log, code, a review bot, a prompt for somebody else."""
    return bool(_PASTED.search(remark.statement.text))


def is_bare_order(remark: Remark) -> bool:
    """Whether it is an order and nothing tells that it is meant to last."""
    return is_order(remark.core) and bool(verb_of(remark.core)) and len(tokens(remark.core)) > 1
