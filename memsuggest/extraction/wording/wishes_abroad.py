"""Wishes in German, French, Spanish and Portuguese, a table as in `wishes`: what wraps a rule there."""

from __future__ import annotations

ABROAD: tuple[tuple[str, str], ...] = (
    (r"^(?:kannst|könntest|würdest|kann|könnten) (?:du|ihr|sie|wir) (?:(?:bitte|mal|auch) ){0,2}(?=\w)", ""),
    (
        (
            r"^(?:ich )?(?:hätte gerne?|möchte|will|würde gerne?|wünsche mir"
            r"|mir wäre lieb(?:er)?)(?: gerne?)?,? (?:dass|wenn) "
            r"(?P<what>(?:(?:der|die|das|alle|jede[rs]?|unsere|meine) )?"
            r"[\wäöüß-]+) (?P<rest>[^,]{3,100}) (?P<verb>[\wäöüß]+(?:en|st|t|nd))[.!]?$"
        ),
        "{what} {verb} {rest}",
    ),
    (r"^(?:est-ce que )?(?:tu peux|peux-tu|tu pourrais|pourrais-tu|vous pouvez|pouvez-vous|vous pourriez) (?=\w)", ""),
    (r"^(?:¿)?(?:puedes|podrías|podéis|pueden|me puedes) (?=\w)", ""),
    (r"^(?:você pode(?:ria)?|pode(?:ria)?s?|dá pra|tem como|consegue) (?=\w+r\b|sempre|nunca|não)", ""),
    (
        (
            r"^(?:eu )?(?:queria|gostaria|quero) que (?:você|vc|tu|vocês) (?P<what>(?:(?:sempre|nunca|não"
            r"|só) )?)(?P<rest>\w+)asse\b"
        ),
        "{what}{rest}e",
    ),
    (r"^(?:quiero|quisiera|me gustaría|prefiero|necesito) que (?:tú |usted )?(?=\w)", ""),
)
