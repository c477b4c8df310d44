"""German rules word by word in English, so that a file in the other language can be asked whether it says them.

Owns a small table of the words of software; a gloss is compared with, never shown, and never written anywhere.
"""

from __future__ import annotations

import re
from functools import cache

from memsuggest.text.stems import stem
from memsuggest.text.words import word_set

_TURNS = (
    (r"(?:nur|erst)\s+nach\s+(?:rückfrage|absprache|freigabe)", "ask before"),
    (r"ohne\s+(?:zu\s+fragen|nachzufragen|rückfrage|absprache|freigabe)", "without asking"),
    (r"(?:laufen|ausführen)\s+lassen", "run"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+(?:nie|niemals)", "never"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+nicht", "never"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+keine?[nrms]?", "never"),
    (r"(?:nicht|nie)\s+(?:von\s+hand|manuell)", "not manually"),
    (r"von\s+hand", "manually"),
    (r"statt(?:dessen)?|anstatt|anstelle\s+von", "instead of"),
    (r"mindestens", "at least"),
    (r"höchstens|maximal", "at most"),
    (r"pull[- ]requests?", "pull request"),
)
_TABLE = """
never: nie niemals keine kein keinen keinem keiner keinerlei
not: nicht
without: ohne
only: nur ausschließlich
except: außer ausgenommen
before: vor bevor ehe
after: nach nachdem
for: für zum zur
in: in im ins innerhalb
on: auf am
with: mit mittels
via: über per
from: von vom aus
to: zu
and: und sowie
or: oder
when: wenn sobald falls bei beim
every: jede jeder jedes jedem jeden alle allen aller alles
always: immer stets grundsätzlich
the: der die das den dem des
a: ein eine einen einem einer eines
is: ist sind wird werden sein worden wurde
must: muss müssen soll sollen sollte sollten
may: darf dürfen kann können
please: bitte
be: gehören gehört
ask: fragen frage nachfragen fragt
add: hinzufügen hinzufüge ergänzen ergänze einbauen anhängen füge aufnehmen
use: verwende verwenden verwendet benutze benutzen benutzt nutze nutzen nutzt einsetzen
write: schreibe schreiben schreibt geschrieben verfassen
name: nenne nennen heißen heißt benennen
keep: halte halten behalte behalten bleiben bleibt
put: lege legen ablegen liegen stelle stellen gehören
run: ausführen laufen starte starten ausgeführt führe
delete: lösche löschen gelöscht entferne entfernen entfernt
change: ändere ändern geändert bearbeiten bearbeite anfassen verändern
check: prüfe prüfen geprüft überprüfen kontrollieren
create: erstelle erstellen erzeugen anlegen erstellt lege-an
read: lese lesen gelesen
save: speichere speichern gespeichert
send: sende senden schicken gesendet
show: zeige zeigen anzeigen angezeigt
explain: erkläre erklären
answer: antworte antworten beantworte antwort antworten
avoid: vermeide vermeiden vermieden
prefer: bevorzuge bevorzugen lieber
need: braucht brauchen benötigt benötigen
document: dokumentiere dokumentieren dokumentiert
comment: kommentiere kommentieren kommentiert kommentar kommentare kommentaren
validate: validiere validieren validiert
sort: sortiere sortieren sortiert
replace: ersetze ersetzen ersetzt
update: aktualisiere aktualisieren aktualisiert
call: aufrufen rufe
return: zurückgeben rückgabe rückgabewert rückgabewerte
throw: werfen wirf geworfen
catch: fangen abfangen
swallow: verschlucken schlucken verschluckt
wait: warte warten
close: schließe schließen geschlossen
open: öffne öffnen geöffnet
import: importiere importieren importiert
export: exportiere exportieren exportiert
format: formatiere formatieren formatiert formatierung
install: installiere installieren installiert
test: teste testen getestet tests test
log: loggen logge geloggt protokollieren protokolliert
commit: committen commite committe committet eingecheckt einchecken commits
push: pushe pushen gepusht pusht
merge: mergen merge gemergt mergt zusammenführen
mock: mocken mocke gemockt
squash: squashen gesquasht
rebase: rebasen rebased
deploy: deployen deploye deployt ausliefern ausrollen deployment
release: releasen veröffentlichen veröffentliche
translate: übersetze übersetzen übersetzt
round: runden runde gerundet
English: englisch englische englischen
German: deutsch deutsche deutschen
French: französisch
error: fehler ausnahme ausnahmen
message: nachricht nachrichten meldung meldungen
file: datei dateien
folder: ordner verzeichnis verzeichnisse
code: quelltext quellcode
function: funktion funktionen
variable: variable variablen
constant: konstante konstanten
class: klasse klassen
method: methode methoden
parameter: parametern
component: komponente komponenten
dependency: abhängigkeit abhängigkeiten
library: bibliothek bibliotheken
package: paket pakete
version: version versionen
branch: branches zweig zweige
change: änderung änderungen
database: datenbank datenbanken
table: tabelle tabellen
column: spalte spalten
row: zeile zeilen
line: codezeile codezeilen
query: abfrage abfragen
request: anfrage anfragen
response: antworten
user: benutzer nutzer anwender nutzerinnen
password: passwort passwörter passwörtern kennwort kennwörter
secret: geheimnis geheimnisse geheimnissen zugangsdaten
key: schlüssel
date: datum datumsangaben daten
time: zeit zeiten uhrzeit
price: preis preise preisen
amount: betrag beträge beträgen
money: geld geldbeträge
currency: währung währungen
customer: kunde kunden kundinnen
order: bestellung bestellungen auftrag aufträge
invoice: rechnung rechnungen
page: seite seiten
form: formular formulare
field: feld felder
button: knopf knöpfe schaltfläche schaltflächen
text: texte texten
string: zeichenkette zeichenketten
character: zeichen
number: zahl zahlen nummer
color: farbe farben
style: stil stile
image: bild bilder
icon: symbol symbole
sentence: satz sätze
word: wort wörter
heading: überschrift überschriften
list: liste listen
name: namen bezeichner
value: wert werte
type: typ typen
interface: schnittstelle schnittstellen
setting: einstellung einstellungen
configuration: konfiguration
environment: umgebung umgebungen
variable: umgebungsvariable
build: bauen baue
migration: migrationen
rule: regel regeln
input: eingabe eingaben
output: ausgabe ausgaben
example: beispiel beispiele beispielen
chain: kette ketten
specify: angeben festlegen
work: arbeit arbeiten
done: fertig erledigt abgeschlossen
documentation: doku dokumentation
token: token tokens
contraction: kontraktion kontraktionen
link: verlinken verlinke verweis verweise
path: pfad pfade pfaden
address: adresse adressen
review: review reviews prüfung
element: element elemente
event: ereignis ereignisse
task: aufgabe aufgaben
step: schritt schritte schritten
account: konto konten
label: beschriftung beschriftungen
warning: warnung warnungen
permission: berechtigung berechtigungen
project: projekt projekte
team: team teams
feature: funktionalität
new: neu neue neuen neuer neues
old: alt alte alten
small: klein kleine kleinen kleiner
large: groß große großen
short: kurz kurze kurzen kürzer
long: lang lange langen
simple: einfach einfache
clear: klar klare
empty: leer leere leeren
public: öffentlich öffentliche öffentlichen
private: privat private privaten
external: extern externe externen
internal: intern interne internen
own: eigene eigenen eigener
same: gleiche gleichen selben
first: zuerst erst erste ersten
last: zuletzt letzte letzten
local: lokal lokale lokalen
global: global globale globalen
relative: relativ relative relativen
absolute: absolut absolute absoluten
asynchronous: asynchron asynchrone
unused: ungenutzt ungenutzte unbenutzte
generated: generiert generierte generierten erzeugte
directly: direkt
silently: still stillschweigend
manually: manuell
again: wieder erneut
imperative: imperativ
indent: einrücken einrückung
spaces: leerzeichen
tabs: tabulatoren
quotes: anführungszeichen
single: einfache-anführungszeichen
accessible: barrierefrei
keyboard: tastatur
browser: browser
network: netzwerk netz
server: server
job: job jobs
frontend: oberfläche
log: protokoll protokolle logs
example: beispiel beispiele
description: beschreibung beschreibungen
"""
_COMPOUND_ENDS = sorted(
    word_set(
        "nachrichten nachricht meldungen meldung dateien datei funktionen funktion variablen variable tests "
        "test namen name komponenten komponente tabellen tabelle spalten spalte abfragen abfrage ordner "
        "verzeichnis typen typ werte wert zeilen zeile klassen klasse texte text seiten seite schlüssel "
        "beschreibungen beschreibung einstellungen einstellung änderungen änderung eingaben eingabe ausgaben ausgabe "
        "beispiele beispiel ketten kette listen liste adressen adresse"
    ),
    key=len,
    reverse=True,
)
"""Nouns that compounds end with: `Fehlermeldung`, `Testdateien`, `Commit-Nachricht`."""
_GERMAN = re.compile(
    r"\b(?:der|das|und|nicht|nie|niemals|keine?[nrm]?|immer|für|mit|auf|im|vor|nach|bei|nur|statt|jede[nrsm]?|alle|von"
    r"|zum|zur|ein|eine[nrm]?|wird|werden|sind|ist|muss|müssen|darf|dürfen|soll|sollen|bitte|ohne|verwende[nt]?|benutze"
    r"|nutze|schreibe?n?|braucht|brauchen|dem|neue[nrs]?|oder|bevor|nachdem|wenn|statt|alles|aus|auch|noch|dann"
    r"|\w*[äöüß]\w*|\w+ungen?|\w+ieren)\b",
    re.IGNORECASE,
)
_KEPT = re.compile(r"`[^`\n]*`|[^\W\d_]+(?:-[^\W\d_]+)*|\S")
_LEAST = 0.2
"""Share of a text's words that must be plain German."""


@cache
def _glossary() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in _TABLE.strip().split("\n"):
        english, _, german = row.partition(": ")
        for word in german.split():
            found.setdefault(word, english)
    return found


@cache
def _by_stem() -> dict[str, str]:
    found: dict[str, str] = {}
    for german, english in _glossary().items():
        found.setdefault(stem(german, "de"), english)
    return found


def is_german(text: str) -> bool:
    """Whether a rule is said in German, as far as its small words tell."""
    return len(_GERMAN.findall(text)) >= max(1.0, _LEAST * len(text.split()))


def in_english(text: str) -> str:
    """Return a German rule word by word in English; words that the table lacks, names and code stay as they are.

    >>> in_english("Fehlermeldungen immer auf Englisch schreiben")
    'error message always on English write'
    """
    for form, english in _TURNS:
        text = re.sub(rf"(?i)\b(?:{form})\b", english, text)
    return " ".join(_word(word) for word in _KEPT.findall(text))


def _word(word: str) -> str:
    if word.startswith("`"):
        return word
    if "-" in word:
        return " ".join(map(_word, word.split("-")))
    lowered = word.lower()
    return _known(lowered) or _compound(lowered) or word


def _known(word: str) -> str | None:
    return _glossary().get(word) or (_by_stem().get(stem(word, "de")) if len(word) > 3 else None)


def _compound(word: str) -> str | None:
    """Return both parts of a compound of words that the table knows."""
    for end in _COMPOUND_ENDS:
        first = word.removesuffix(end)
        if first == word or not first:
            continue
        start = _known(first) or _known(first.removesuffix("s")) or (_known(f"{first}e"))
        if start or len(first) > 3:
            return f"{start or first} {_known(end) or end}"
    return None
