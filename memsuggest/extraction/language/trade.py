"""The trade: words by which a sentence speaks of software work, and shapes by which it names a thing of it.

Owns the word list only. A talk about breakfast has none of them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.extraction.language.trade_abroad import ABROAD, DENSE, LATIN_RUN, SIGNS, WIDER
from memsuggest.text.words import word_list, word_set

TRADE = word_set(
    """
    test tests testing tested code coding commit commits committing branch branches merge merged merges rebase
    squash pr prs repo repos repository repositories function functions method methods class classes module
    modules package packages import imports importing variable variables constant constants argument arguments
    args arg param params parameter parameters attribute attributes property properties type types typed typing
    interface interfaces enum enums struct structs decorator decorators annotation annotations comment comments
    docstring docstrings doc docs documentation readme changelog file files folder folders directory directories
    path paths line lines tab tabs space spaces quote quotes semicolon semicolons camelcase camel snake
    pascalcase pascal kebab name names named naming lint linter linting format formatter formatting build builds
    deploy deployment release releases ci cd pipeline pipelines docker container containers kubernetes server
    servers client clients api apis endpoint endpoints route routes schema schemas query queries sql database
    databases db table tables migration migrations cache caches caching log logs logging logger error errors
    exception exceptions assert asserts assertion assertions try except catch raise throw debug debugging
    refactor refactoring script scripts command commands cli flag flags config configs configuration setting
    settings env environment dependency dependencies library libraries framework frameworks component components
    hook hooks style styles css html json yaml toml xml markdown python java javascript typescript js ts rust
    golang go ruby php kotlin swift react vue angular node npm pnpm yarn bun pip uv poetry cargo gradle maven
    git github gitlab jira linear bug bugs issue issues ticket tickets task tasks spec specs rule rules agent
    agents subagent subagents prompt prompts token tokens model models session sessions claude copilot cursor
    codex assistant answer answers reply replies respond response responses explanation explanations language
    english german french spanish portuguese jq grep bash shell terminal browser ui ux gui button buttons page
    pages form forms layout layouts color colors colour colours font fonts user users security secret secrets
    password passwords auth authentication http https url urls async await sync thread threads mock mocks
    mocking mocked stub stubs fixture fixtures coverage benchmark benchmarks performance string strings number
    numbers integer integers float floats list lists array arrays dict dicts dictionary dictionaries map maps
    loop loops lambda regex uppercase lowercase digit digits underscore underscores hyphen hyphens prefix
    prefixes prefixed suffix suffixes suffixed date dates timestamp timestamps utc timezone timezones utf ascii
    encoding generics null undefined var const let def architecture pattern patterns implementation
    implementations implement implementing feature features project projects codebase app apps application
    applications service services microservice microservices plugin plugins extension extensions template
    templates snippet snippets workflow workflows workspace workspaces monorepo programming software developer
    version versions versioning install installed data output outputs input inputs value values key keys field
    fields column columns row rows object objects instance instances inheritance abstract lock locks queue
    queues worker workers job jobs cron process processes port ports host hosts proxy webhook webhooks frontend
    backend fullstack orm crud rest graphql grpc protobuf binary binaries compiler compile runtime debugger
    profiler editor ide vscode vim emacs indent indentation indented whitespace newline newlines bracket
    brackets brace braces parenthesis parentheses identifier identifiers getter getters setter setters
    constructor constructors singleton factory callback callbacks promise promises closure closures tuple tuples
    iterator iterators generator generators comprehension comprehensions pydantic dataclass dataclasses pytest
    jest vitest eslint prettier ruff mypy black flake8 webpack vite tailwind postgres postgresql mysql sqlite
    redis mongodb kafka aws azure gcp terraform ansible helm nginx linux ubuntu macos windows wsl powershell zsh
    fish tmux makefile dockerfile pull push stash checkout upstream downstream staging production prod dev e2e
    pathlib argparse numpy pandas asyncio itertools functools subprocess httpx flask django fastapi sqlalchemy celery
    matplotlib scipy sklearn pytorch loguru tox hypothesis sphinx lodash axios jquery logback junit mockito lombok
    unittest unittests integration snapshot snapshots mdc diff diffs patch patches todo todos datei dateien
    funktion funktionen klasse klassen variable variablen kommentar kommentare abhängigkeit abhängigkeiten
    skript skripte fehler antwort antworten verzeichnis ordner zeile zeilen schnittstelle datenbank fichier
    fichiers fonction fonctions commentaire commentaires erreur erreurs réponse réponses dossier dépôt archivo
    archivos función funciones prueba pruebas errores respuesta respuestas comentario comentarios carpeta clase
    clases arquivo arquivos função funções teste testes erro erros resposta respostas comentário comentários
    código documentação implementação pasta classe projeto proyecto projet projekt commitar
    """
)
_NAMES = re.compile(r"[\w-]*[\d_][\w-]*")
_DENSE_PAIRS = re.compile(r"[\u4e00-\u9fff\u30a0-\u30ff]{2}")
_STEM = 6  # letters
_THING = re.compile(
    r"`[^`\n]+`|(?<!\w)['\"][\w.-]{0,20}[_\d][\w.-]{0,20}['\"]|(?<!\w)(?:[\w.-]{1,80}/){1,20}[\w.-]+"
    r"|(?<![\w.])[\w-]{1,80}\.(?:[a-z]{1,4}|json[cl5]|toml|yaml"
    r"|html|swift|kotlin|gradle)"
    r"\b(?!\.\w)|(?<![\w-])--?[a-z][\w-]+|\b[a-z]+_[a-z0-9_]+\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*"
    r"|(?<!\w)\w+_(?!\w)"
    r"|(?<!\w)_\w+|(?<!\w)@[\w/-]+|\b[A-Z][A-Z0-9_]{2,}=|\$[A-Z_]+|(?<!\w)\.[a-z]\w+"
)


_EMPTY = word_set(
    """
    a an the this that these those it its they them their there here i me my we us our you your he she is are
    was were be been am do does did done don't doesn't didn't have has had can could will would shall should
    must may might need needs want wants to of in on at by for from with without into onto about as and or but
    so if then than when while because since not no yes ok okay please just also only always never every each
    all any some more most very really too again still now back let's let make sure use using used keep instead
    rather one ones thing things way actually forget that's it's i'm we're you're what which who how why where
    well good great right sure thanks like get got go going put said say mind und der die das ein eine ist nicht
    wir ich bitte le la les un une et est pas nous el los las y es no o os as um uma e
    """
)


_COMMON = word_set(
    """
    go try catch raise rest let black fish rust swift type types issue issues form forms page pages project
    projects line lines space spaces list lists number numbers date dates table tables key keys value values
    object objects field fields job jobs worker workers host hosts port ports lock locks release releases build
    builds style styles language english german french spanish portuguese feature features pattern patterns
    design color colors colour colours user users task tasks rule rules agent agents token tokens model models
    session sessions answer answers reply replies respond response responses explanation explanations linear
    output outputs input inputs data service services application applications app apps developer software
    programming production prompt prompts path paths name names map maps branch branches container containers
    cursor queue queues poetry snapshot snapshots spec specs class classes note notes push pull test tests
    testing tested file files folder folders code component components space spaces security quote quotes tab
    tabs python ruby network environment settings library libraries version versions assistant browser button
    buttons fork process processes performance process patch patches key framework workspace workspaces template
    templates string strings
    """
)
"""Words of the trade that people also use when they talk of other things; it takes two of them."""


_SEEN = word_set(
    """
    user users customer customers client clients patient patients player players visitor visitors guest guests
    member members admin admins shopper shoppers buyer buyers seller sellers driver drivers student students
    teacher teachers recipient recipients subscriber subscribers button buttons toast toasts modal modals dialog
    dialogs banner banners badge badges sms email emails e-mail mail mails notification notifications popup popups
    tooltip tooltips row rows card cards placeholder placeholders page pages screen screens filter filters toggle
    toggles pill pills icon icons footer sidebar menu menus dropdown dropdowns checkbox checkboxes spinner
    invoice invoices order orders price prices seat seats cart checkout receipt receipts booking bookings avatar
    avatars chart charts tab tabs input inputs form forms label labels click clicks clicked clicking
    hover hovering scroll scrolls scrolling drag dragged dragging mobile desktop keyboard animation animations
    colour colours color colors selected selection map maps slider sliders link links image images photo photos
    layout layouts list lists table tables column columns field fields knopf knöpfe seite seiten nutzer kunde
    kunden rechnung rechnungen bestellung bestellungen spalte spalten zeile zeilen tabelle tabellen liste listen
    feld felder bildschirm bouton boutons utilisateur utilisateurs facture factures commande commandes écran
    champ champs colonne colonnes ligne lignes botón botones usuario usuarios cliente clientes factura facturas
    pedido pedidos pantalla pantallas fila filas tabla tablas columna columnas campo campos botão botões usuário
    usuários fatura faturas tela telas linha linhas coluna colunas tabela tabelas
    """
)
"""What the people see and do who use the product."""
_SEEN_DENSE = re.compile(r"ボタン|画面|ユーザー|通知|予約|表示|用户|按钮|页面|订单|客户|弹窗")
_VAGUE = word_set(
    """
    font fonts output outputs value values number numbers string strings date dates timestamp timestamps timezone
    timezones space spaces quote quotes line lines name names key keys data password passwords auth
    authentication app apps application applications ui ux gui browser language languages english german french
    spanish portuguese version token tokens session sessions answer answers reply replies respond response
    responses task tasks job jobs queue queues object objects array arrays feature features digit digits
    performance security release url urls server servers template templates style styles lock locks process
    processes snippet snippets worker workers model models prompt prompts project projects installed install
    secret secrets
    """
)
"""Words of the trade by which the product is told of as often as the work on it."""
_ANY = TRADE | ABROAD | WIDER
_WORK = _ANY - _SEEN - _VAGUE


@lru_cache(maxsize=1024)
def has_seen_thing(plain: str) -> bool:
    """Whether a plain text names what the product's users see or do, or these users."""
    return not _SEEN.isdisjoint(word_list(plain)) or bool(_SEEN_DENSE.search(plain))


def has_work_word(plain: str) -> bool:
    """Whether a plain text has a word of the work on a product rather than of the product."""
    return not _WORK.isdisjoint(_words(plain)) or bool(DENSE.search(plain))


def _words(plain: str) -> list[str]:
    """The words of a plain text, also those in Latin letters among signs without spaces."""
    return LATIN_RUN.findall(plain) if SIGNS.search(plain) else word_list(plain)


def is_technical(text: str) -> bool:
    """Whether a text is plainly about the work: a word that only the trade has, two others, or a named thing."""
    words = [word for word in word_list(text.lower()) if word in TRADE]
    is_certain = any(word not in _COMMON for word in words) or bool(DENSE.search(text))
    return is_certain or len(set(words)) > 1 or has_named_thing(text)


def trade_words(text: str) -> set[str]:
    """The words of a text that the trade has."""
    return {word for word in word_list(text.lower()) if word in TRADE}


def certain_words(text: str) -> set[str]:
    """The words of a text that only the trade has."""
    return trade_words(text) - _COMMON


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry a subject, cut to their first letters so that endings do not matter."""
    words = {word for word in word_list(text.lower()) if word not in _EMPTY and len(word) > 2}
    return frozenset({word[:_STEM] for word in words}.union(_NAMES.findall(text), _DENSE_PAIRS.findall(text)))


@lru_cache(maxsize=1024)
def has_trade_word(plain: str) -> bool:
    """Whether a word of the trade is in a plain text."""
    return not _ANY.isdisjoint(_words(plain)) or bool(DENSE.search(plain))


@lru_cache(maxsize=1024)
def has_named_thing(text: str) -> bool:
    """Whether a text names a file, a command, a flag, an identifier."""
    return bool(_THING.search(text))
