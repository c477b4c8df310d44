"""Makes secrets of issuers nobody knows, in the sentences and files in which people give them away; all invented.

Written at run time from parts, so that no file of the project looks as if it held a secret.
"""

# ruff: noqa: E501  (tables of invented texts)
from __future__ import annotations

import base64
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from secret_samples import Maker

LOWER, UPPER, DIGITS, HEX = string.ascii_lowercase, string.ascii_uppercase, string.digits, "0123456789abcdef"
ALL = LOWER + UPPER + DIGITS
SHAPES: dict[str, Callable[[Maker], str]] = {
    "word and underscore": lambda m: (
        f"{m.pick('acme', 'zeta', 'orbit', 'nimbus', 'quark')}_{m.pick('live_', 'test_', 'pat_', '')}{m.draw(ALL, m.random.choice([24, 32, 40]))}"
    ),
    "letters and hyphen": lambda m: f"{m.draw(LOWER, 3)}-{m.draw(ALL, m.random.choice([22, 32, 48]))}",
    "capitals before": lambda m: (
        f"{m.draw(UPPER, m.random.choice([2, 3, 4]))}{m.draw(ALL, m.random.choice([20, 28, 36]))}"
    ),
    "version and dot": lambda m: f"v{m.pick('1', '2')}.{m.draw(ALL, 24)}.{m.draw(ALL + '-_', 32)}",
    "hexadecimal": lambda m: m.draw(HEX, m.random.choice([32, 40, 48, 64])),
    "capital hexadecimal": lambda m: m.draw(HEX, m.random.choice([32, 40])).upper(),
    "small and digits": lambda m: m.draw(LOWER + DIGITS, m.random.choice([20, 24, 30, 36])),
    "capitals and digits": lambda m: m.draw(UPPER + DIGITS, m.random.choice([20, 26, 32])),
    "mixed": lambda m: m.draw(ALL, m.random.choice([20, 24, 32, 43, 64])),
    "base64": lambda m: base64.b64encode(
        bytes(m.random.randrange(256) for _ in range(m.random.choice([24, 32, 48])))
    ).decode(),
    "url-safe": lambda m: m.draw(ALL + "-_", m.random.choice([27, 32, 43])),
    "groups": lambda m: "-".join(m.draw(UPPER + DIGITS, 5) for _ in range(5)),
    "small groups": lambda m: "-".join(m.draw(LOWER + DIGITS, 6) for _ in range(4)),
    "colon in it": lambda m: f"{m.draw(DIGITS, 9)}:{m.draw(ALL + '-_', 35)}",
    "letters only": lambda m: m.draw(LOWER + UPPER, m.random.choice([32, 40])),
}
"""Tokens."""
PASSWORDS: dict[str, Callable[[Maker], str]] = {
    "letters digits signs": lambda m: (
        f"{m.draw(UPPER, 1)}{m.draw(LOWER, 4)}{m.draw(DIGITS, 3)}{m.pick('!', '#', '$', '%')}{m.draw(LOWER + UPPER, 3)}"
    ),
    "word and year": lambda m: (
        f"{m.pick('Sommer', 'Hunter', 'Dragon', 'Maple', 'Berlin')}{m.pick('2023', '1987', '42')}{m.pick('!', '#', '?x', '$')}"
    ),
    "drawn": lambda m: m.draw(ALL, m.random.choice([12, 14, 16])),
    "distorted": lambda m: (
        m.pick("P4ssw0rd!9", "Tr0ub4dor&3", "c0rr3ctH0rse", "S3cr3t#Pie", "L3tM3In!x") + m.draw(DIGITS, 1)
    ),
}

NAMES = (
    "API key",
    "token",
    "access token",
    "secret",
    "deploy key",
    "auth token",
    "client secret",
    "bearer token",
    "service token",
    "signing secret",
    "webhook secret",
    "license key",
    "api-key",
)
TOKEN_FRAMES = (
    "use {s} for the staging calls", "the {name} is {s}", "the {name} for staging is {s}, don't lose it", "my {name}: {s}", "{name} = {s}",
    "here's the {name} {s} please try it", "log in with {s}", "set the {name} to {s} and rerun", "I put {s} into the vault", "please remember {s} as the {name}",
    "why does {s} not work?", "it says invalid {name} ({s})", "we rotated the {name}, the new one is {s}", "the old {name} was {s}", "{s} is the {name} of the bot",
    "try again with `{s}`", "the {name} \"{s}\" has expired", "can you check whether {s} is still valid", "send {s} in the header", "I'm using {s} as my {name}",
    "export SERVICE_KEY={s}", "SERVICE_TOKEN: {s}", "\"serviceToken\": \"{s}\",", "service.token={s}", "token = '{s}'", "const key = \"{s}\";", "key: str = \"{s}\"",
    "curl -H 'Authorization: Bearer {s}' https://api.example.org", "curl -H \"X-Api-Key: {s}\" https://api.example.org", "curl 'https://api.example.org/v1?key={s}'",
    "https://api.example.org/hooks/{s}", "git clone https://bot:{s}@git.example.org/a.git", "docker login -u bot -p {s} registry.example.org", "--token {s}", "--api-key={s}",
    "| {name} | {s} |", "- {name}: `{s}`", "1. paste {s}", "> {name} {s}", "<add key=\"Service\" value=\"{s}\" />", "<token>{s}</token>", "[service]\nkey = {s}", "secrets:\n  service: {s}",
    "401 Unauthorized: {name} {s} is not known", "DEBUG sending {name}={s} to /v1", "Error: bad {name} '{s}'", "{{'headers': {{'X-Token': '{s}'}}}}", "os.environ['SERVICE_KEY'] = '{s}'",
    "der Schlüssel ist {s}, bitte merken", "das Token lautet {s}", "la clé d'API est {s}", "le jeton {s} a expiré", "la clave es {s}", "el token {s} ya no funciona", "o token é {s}",
    "令牌是 {s}", "トークンは {s} です", "токен {s} больше не работает", "il token è {s}", "het token is {s}",
)  # fmt: skip
PASSWORD_FRAMES = (
    "the password is {s}", "password: {s}", "my password for the demo is {s}", "log in as demo with password {s}", "PASSWORD={s}", "DB_PASS={s}", "\"password\": \"{s}\"", "pwd = '{s}'",
    "postgres://app:{s}@db.example.org/shop", "mysql -u root -p{s} shop", "curl -u admin:{s} https://x.example.org", "user demo, password {s}", "the admin password was changed to {s}",
    "das Passwort ist {s}", "Passwort: {s}", "le mot de passe est {s}", "la contraseña es {s}", "a senha é {s}", "пароль: {s}", "密码是 {s}", "パスワードは {s} です", "het wachtwoord is {s}",
    "passphrase {s} unlocks the key", "sudo password: {s}", "wifi password {s}", "login: demo / {s}", "credentials demo:{s}", "password for the box is `{s}`", "spring.datasource.password={s}", "pass: {s}",
)  # fmt: skip


def given_away(maker: Maker, count: int) -> list[tuple[str, str, str]]:
    """Make so many sentences with a secret in each: what it is, the sentence, the secret."""
    made = []
    for place in range(count):
        is_token = place % 3 > 0
        shapes = SHAPES if is_token else PASSWORDS
        shape = list(shapes)[place % len(shapes)]
        frame = maker.random.choice(TOKEN_FRAMES if is_token else PASSWORD_FRAMES)
        secret = shapes[shape](maker)
        made.append((f"{shape} in {frame[:40]!r}", frame.format(s=secret, name=maker.pick(*NAMES)), secret))
    return made
