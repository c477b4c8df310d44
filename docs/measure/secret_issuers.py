"""Makes tokens in the shapes that issuers document, and puts them into settings, sentences and Markdown.

The shapes are what each issuer's public documentation says or shows: prefix, alphabet, length. They are written as
`{alphabet length}` and drawn at run time, so that no file of the project looks as if it held a secret.

Rules are written beside the first list of issuers and every second frame; the second list and the other frames are
only measured, and their figure is the one to quote.
"""

# ruff: noqa: E501  (tables of invented texts)
from __future__ import annotations

import base64
import re
import string
from typing import TYPE_CHECKING

from secret_samples import Sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from secret_samples import Maker

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALPHABETS = {
    "hex": DIGITS + "abcdef",
    "HEX": DIGITS + "ABCDEF",
    "heX": DIGITS + "abcdefABCDEF",
    "low": LOWER + DIGITS,
    "upp": UPPER + DIGITS,
    "all": LOWER + UPPER + DIGITS,
    "url": LOWER + UPPER + DIGITS + "-_",
    "b64": LOWER + UPPER + DIGITS + "+/",
    "num": DIGITS,
    "CAP": UPPER,
}
_PART = re.compile(r"\{([a-zA-Z0-9]{3}) ([0-9]+)\}")

ISSUERS = {
    # Hexadecimal, bare or with something before or behind it.
    "Twilio": "SK{hex 32}", "New Relic": "{hex 36}NRAL", "New Relic EU": "eu01xx{hex 30}NRAL", "Rollbar": "{hex 32}",
    "Backblaze": "K00{num 1}{all 27}", "Buildkite": "bkua_{hex 40}", "ElevenLabs": "sk_{hex 48}",
    "DeepSeek": "sk-{hex 32}", "Deepgram": "{hex 40}", "SerpApi": "{hex 64}", "Algolia": "{hex 32}",
    "LangSmith": "lsv2_pt_{hex 32}_{hex 10}", "Trello": "ATTA{hex 64}{HEX 8}", "Asana": "1/{num 16}:{hex 32}",
    "Todoist": "{hex 40}", "Steam": "{HEX 32}", "Sonar": "squ_{hex 40}", "WeChat": "{hex 32}", "Paystack": "sk_live_{hex 40}",
    "Freshdesk": "{heX 32}", "Amplitude": "{heX 32}", "Vonage": "{hex 8}:{all 16}", "Customer.io": "{hex 20}",
    "Zoho": "1000.{hex 32}.{hex 32}", "Ethereum": "0x{hex 64}", "Pushover": "a{low 29}", "Fullstory": "{heX 40}",
    # UUIDs.
    "Postmark": "{uid 1}", "Opsgenie": "{uid 1}", "Bunny": "{uid 1}-{uid 1}", "Scaleway": "{uid 1}", "Coda": "{uid 1}",
    "HubSpot": "pat-na1-{uid 1}", "Consul": "{uid 1}",
    # Prefix and letters.
    "Cloudflare": "cfut_{all 40}{hex 8}", "Vercel": "vcp_{all 56}", "CircleCI": "CCIPAT_{all 22}_{hex 40}",
    "Render": "rnd_{all 28}", "Neon": "napi_{low 64}", "Honeycomb": "hcaik_01{low 56}", "Pinecone": "pcsk_{all 6}_{all 63}",
    "Tavily": "tvly-dev-{all 32}", "Brave": "BSA{url 27}", "Stytch": "secret-live-{url 35}=", "Resend": "re_{all 8}_{all 24}",
    "Mollie": "live_{all 30}", "Razorpay": "rzp_live_{all 14}", "ClickUp": "pk_{num 8}_{upp 32}", "Notion": "ntn_{num 11}{all 35}",
    "DNSimple": "dnsimple_a_{all 32}", "Packagist": "packagist_uut_{hex 60}", "Ngrok": "{all 27}_{all 21}",
    "Replit": "r8_{all 37}", "Firecrawl": "fc-{hex 32}", "Linear": "lin_api_{all 40}", "Modal": "ak-{all 22}",
    "Airbyte": "airbyte_{all 36}", "Svix": "testsk_{url 40}.us",
    # Letters and digits alone, with separators.
    "Vultr": "{upp 36}", "Hetzner": "{all 64}", "Segment": "{all 32}", "PagerDuty": "u+{url 18}", "Mistral": "{all 32}",
    "HERE": "{url 43}", "Azure DevOps": "{low 52}", "Azure Storage": "{b64 86}==", "Wasabi": "{all 40}", "IBM": "{url 44}",
    "Auth0": "{url 64}", "Firebase": "AAAA{all 7}:APA91b{url 134}", "Discord": "MT{all 24}.G{all 5}.{url 38}",
    "Terraform": "{all 14}.atlasv1.{url 67}", "GoDaddy": "{all 12}_{all 22}", "Gandi": "{all 24}", "Binance": "{all 64}",
    "Etherscan": "{upp 34}", "Reddit": "{url 27}", "Twitch": "{low 30}", "Salesforce": "00D{all 12}!{all 96}",
    "Plivo": "MA{CAP 18}", "Cloudinary": "{url 27}", "Aiven": "{b64 88}", "Google refresh": "1//0{url 60}",
}  # fmt: skip
"""A name for each issuer, and the shape of its token; rules are written beside these."""
MEASURED = {
    "Mandrill": "md-{all 22}", "Adobe": "p8e-{hex 32}", "ConvertKit": "kit_{hex 32}", "Clearbit": "sk_{hex 32}",
    "Checkout": "sk_{uid 1}", "Ubidots": "BBFF-{all 30}", "Tatum": "t-{hex 24}-{hex 24}", "Ably": "{all 6}.{all 6}:{url 43}",
    "Klaviyo": "pk_{hex 34}", "Lokalise": "{hex 40}", "Crowdin": "{hex 80}", "Shortcut": "{uid 1}", "AppVeyor": "v2.{low 20}",
    "Percy": "{hex 64}", "Applitools": "{all 42}110", "BrowserStack": "{all 20}", "SauceLabs": "{uid 1}",
    "PubNub": "sec-c-{b64 48}", "Shodan": "{all 32}", "VirusTotal": "{hex 64}", "Censys": "censys_{all 8}_{all 24}",
    "Mux": "{b64 75}", "Sinch": "{uid 1}", "Chargebee": "live_{all 34}", "Recurly": "{hex 32}", "Iterable": "{hex 32}",
    "Pusher": "{hex 20}", "Agora": "{heX 32}", "Mailjet": "{heX 32}", "Dwolla": "{all 50}", "Kucoin": "{hex 24}",
    "Kraken": "{b64 56}", "Alchemy": "alcht_{all 30}", "Zerotier": "{all 32}", "Plivo token": "{b64 40}", "Sumo": "su{all 12}",
    "Apify": "apify_api_{all 36}", "Userflow": "ct_{low 26}", "Shippo": "shippo_live_{hex 40}", "Ship24": "apik_{all 30}",
    "Nightfall": "NF-{all 32}", "Groq": "gsk_{all 52}", "Cerebras": "csk-{low 48}", "Voyage": "pa-{url 43}",
    "Fireworks": "fw_{all 22}", "Together": "tgp_v1_{url 43}", "Jina": "jina_{hex 32}{url 28}", "Bitwarden": "0.{uid 1}.{all 30}",
    "Teamcity": "eyJ0eXAiOiAiVENWMiJ9.{url 36}.{uid 1}", "Zuplo": "zpka_{hex 32}_{hex 8}", "Ghost": "{hex 24}:{hex 64}",
    "Woo": "ck_{hex 40}", "Keygen": "prod-{hex 64}v3", "Rapid7": "eu:{uid 1}", "Grafana old": "{hex 32}==",
    "Alpaca": "PK{upp 18}", "Bybit": "{all 18}", "Gemini": "account-{all 20}", "Tomorrow": "{all 32}", "Planet": "PLAK{hex 32}",
}  # fmt: skip
"""Further issuers, which are only measured."""

SETTINGS = (
    "export {ENV}_API_KEY={s}", "<add key=\"{Name}:ApiKey\" value=\"{s}\" />", "{ENV}_TOKEN: \"{s}\"",
    "<property name=\"{low}.secret\" value=\"{s}\"/>", "\"{low}ApiKey\": \"{s}\",", "- name: {ENV}_KEY\n  value: {s}",
    "client = {low}.Client(\"{s}\")", "client = Client(api_key=\"{s}\")", "[{low}]\napi_key = {s}", "$env:{ENV}_TOKEN = '{s}'",
    "setx {ENV}_KEY \"{s}\"", "{low}.api.key={s}", "ENV {ENV}_KEY {s}", "heroku config:set {ENV}_KEY={s}",
    "headers = {{\"X-Api-Key\": \"{s}\"}}", "-H \"Authorization: Token {s}\"", "define('{ENV}_KEY', '{s}');",
    "//registry.example.org/:_authToken={s}", "{{\"name\": \"{ENV}_SECRET\", \"value\": \"{s}\"}}", "--set {low}.apiKey={s}",
    "let {low}_key: &str = \"{s}\";", "<{low}Key>{s}</{low}Key>", "https://api.example.org/v1/data?apikey={s}&q=1",
    "<param name='{low}_auth_token' value='{s}'/>", "curl -H 'Authorization: {s}' https://api.example.org",
    "{low}_secret = \"{s}\"  # staging", "kubectl create secret generic {low} --from-literal=key={s}",
    "<setting name=\"{Name}Key\" serializeAs=\"String\"><value>{s}</value></setting>", "{low}:\n  token: {s}",
    "<appSettings {low}Token=\"{s}\"/>",
)  # fmt: skip
SENTENCES = (
    "We use {s} for {Name} in staging.", "you need {s} to reach the sandbox", "my {Name} key is {s} by the way",
    "For {Name} take {s}, it is only valid this week.", "Connect to {Name} with {s} and list the projects.",
    "the {Name} credentials are {s}", "it does not accept this {Name} token: {s}", "please save {s} somewhere for later",
    "the new key is {s}.", "That's the {Name} secret ({s}), keep it out of the repo.", "try it with {s} instead",
    "log in using {s}", "I rotated the token, now it's {s}", "the token you asked for: {s}", "Authenticate as admin / {s}",
    "Run the sync with --token {s} once", "Wir brauchen {s} für {Name}.", "on utilise {s} pour {Name}", "usa {s} para {Name}",
    "the API key {s} gives a 403", "never commit the {Name} key {s} again", "you will need {s} when it asks for a key",
    "{Name} wants {s} as the key", "put {s} into the vault", "The password for {Name} is {s}, user is demo",
    "our access key for {Name}, {s}, expires in May", "Here you go: {s}", "remember that the token is {s}",
    "set the header to {s} and retry", "when {Name} asks for a token give it {s}",
)  # fmt: skip
MARKDOWN = (
    "- {Name} key: `{s}`", "- **{Name} API key**: {s}", "| API key | {s} | staging |", "1. Set `{ENV}_KEY` to `{s}`",
    "```bash\nexport {ENV}_KEY={s}\n```", "* Use `{s}` when calling {Name}", "| Name | Token |\n|---|---|\n| {Name} | {s} |",
    "### {Name} token\n\n{s}\n", "[{Name}](https://api.example.org/v1?token={s})", "- [ ] rotate the key {s}",
    "Key: _{s}_", "<!-- {Name} token: {s} -->", "~~{s}~~ is the old key", "- {Name}\n  - token: {s}",
    "Use **`{s}`** for staging", "`{ENV}_KEY={s}`", "> **Note:** the key is `{s}`.", "1. Log in with `{s}`",
    "**Token:** `{s}`", "- `{ENV}_TOKEN` = `{s}`", "| `{ENV}_SECRET` | `{s}` | required |", "```json\n{{\"apiKey\": \"{s}\"}}\n```",
    "Credentials: <code>{s}</code>", "- Secret key: <kbd>{s}</kbd>", "**API Key**\n```\n{s}\n```",
    "- Key for {Name} (staging): {s}",
)  # fmt: skip
CONTEXTS = {"settings": SETTINGS, "sentences": SENTENCES, "Markdown": MARKDOWN}


def token(maker: Maker, shape: str) -> str:
    """Draw a token of a shape, with digits among its hexadecimal ones as real ones have."""
    return _PART.sub(lambda part: _part(maker, part.group(1), int(part.group(2))), shape)


def _part(maker: Maker, alphabet: str, length: int) -> str:
    if alphabet == "uid":
        return "-".join(maker.draw(ALPHABETS["hex"], count) for count in (8, 4, 4, 4, 12))
    return maker.draw(ALPHABETS[alphabet], length)


def issued(maker: Maker, context: str, *, measured: bool) -> Iterator[Sample]:
    """Make a text for every issuer and frame: those that rules are written beside, or those only measured."""
    frames = CONTEXTS[context][1::2] if measured else CONTEXTS[context][::2]
    for issuer, shape in (MEASURED if measured else ISSUERS).items():
        name = re.sub(r"\W+", "_", issuer)
        for frame in frames:
            secret = token(maker, shape)
            text = frame.format(s=secret, Name=issuer, ENV=name.upper(), low=name.lower())
            yield Sample(f"{issuer} in {frame!r}", text, secret)


USERS = ("admin", "ada", "svc", "bot", "root", "ci", "api")
BASIC_FRAMES = (
    "Authorization: Basic {s}", "curl -H 'Authorization: Basic {s}' https://x.example.org", "\"Authorization\": \"Basic {s}\"",
    "the header is Basic {s}, I think", "- send `Basic {s}`", "proxy-authorization: basic {s}", "auth = 'Basic {s}'",
)  # fmt: skip
PASSWORD_WORDS = ("Dog", "Is", "Blue", "Cat", "Summer", "House", "Tiger", "Winter", "Coffee", "Moon", "Runs", "Sings")
PASSWORD_FRAMES = (
    "use {s} for staging", "log in with {s}", "the password is {s}", "you need {s} to get in", "try {s} as the password",
    "sign in as ada with {s}", "password for the demo: {s}", "- password `{s}`", "unlock it with {s}", "the passcode is {s}, user ada",
)  # fmt: skip


def short_credentials(maker: Maker, count: int) -> Iterator[Sample]:
    """Make `Basic` credentials of short names and passwords, and passwords that are words with a number."""
    for at in range(count):
        word = maker.pick("this", "my", "our", "one") + "".join(maker.random.sample(PASSWORD_WORDS, 2))
        word += maker.draw("13579", 2)
        if at % 2:
            pair = f"{maker.pick(*USERS)}:{maker.draw(LOWER + DIGITS, maker.random.choice([4, 6, 8]))}"
            secret, frame = base64.b64encode(pair.encode()).decode(), maker.pick(*BASIC_FRAMES)
        else:
            secret, frame = word, maker.pick(*PASSWORD_FRAMES)
        yield Sample(frame, frame.format(s=secret), secret)


def cut_in_two(maker: Maker, count: int) -> Iterator[Sample]:
    """Make tokens that a line's end cuts in two, as pasted from terminals, mails and quoted lists."""
    names = list(ISSUERS)
    for at in range(count):
        secret = token(maker, ISSUERS[names[at % len(names)]])
        where = maker.random.randrange(max(5, len(secret) // 4), len(secret) - max(4, len(secret) // 4))
        glue = maker.pick("\n", "\n  ", "\n> ", " \\\n", "\\\n    ")
        frame = maker.pick("use {} to deploy", "the key is {}", "KEY={}", "- token: {}", "remember {} please")
        yield Sample(names[at % len(names)], frame.format(secret[:where] + glue + secret[where:]), secret)
