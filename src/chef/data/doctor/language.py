"""Is the text English? A count of the little words that no sentence does without.

simplemma's detector looks every word up in whole dictionaries: seconds and a gigabyte for ten
languages. The little words decide as well for instructions of a dozen words or more.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

_ENOUGH = 12  # words: below this nothing is said
_SHARE = 0.12  # part of the words that must be little words of the other language

_LITTLE = {
    "English": """the and of to in for with until is it or from into on at then this that your you are if
        when be not over about as will all them by should make up out each they but off""",
    "German": """und der die das den dem ein eine einen einer mit auf im zu fur aus bis nach von nicht sich
        oder werden wird bei dann etwa ca lassen geben zum zur uber noch auch alles""",
    "French": """le la les et des une un du dans avec pour sur au aux puis votre vous est que pendant ou par
        jusqu en ce qui ensuite laisser faire ajouter""",
    "Spanish": """el los las y del una con por para que se un al lo hasta su sobre agregar luego muy cuando
        durante minutos""",
    "Italian": """il lo gli le di e con per una del della nel un che fino al dei aggiungere quando alla
        poi nella dal sono minuti""",
    "Portuguese": """o os as e do da em com para uma um ate que no na por ao dos das misture leve mais
        adicione deixe minutos""",
    "Dutch": """het een van en de met voor tot aan op uit bij niet dat er laat doe ongeveer minuten voeg toe
        naar nog ook roer""",
    "Swedish": """och att med en ett det i pa som av till for ner ca minuter tills lat tillsatt blanda ror den
        eller om inte""",
    "Danish or Norwegian": """og med til det i pa en et som av af den minutter ca lad la eller ha tilsett
        tilsaet ror bland ikke ut""",
    "Polish": """i na z do w nie sie przez oraz a po jest dodac minut od ze lub aby razem dodaj""",
    "Czech": """a na se do v z s pak az nebo pridame podle asi minut ktere jsme nechame vse po""",
    "Turkish": """ve bir icin ile bu kadar da de sonra ekleyin olarak uzerine dakika cok""",
    "Indonesian or Malay": """dan yang hingga dengan ke di dalam untuk lalu sampai aduk tambahkan masukkan
        selama rata api""",
}  # fmt: skip
# Words that English has as well ("in", "die", "a") say nothing against it.
_ENGLISH = frozenset(_LITTLE["English"].split())
_SHARED = frozenset("a an as at do die den am so no on in i is was me all also die per e o de la al".split())
_OTHERS = {
    name: frozenset(words.split()) - _ENGLISH - _SHARED
    for name, words in _LITTLE.items()
    if name != "English"
}

# Scripts by the first word of the names Unicode gives their letters.
_SCRIPTS = {
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean",
    "CYRILLIC": "Russian or another language in Cyrillic", "GREEK": "Greek", "ARABIC": "Arabic or Persian",
    "HEBREW": "Hebrew", "DEVANAGARI": "Hindi or Marathi", "THAI": "Thai",
    "BENGALI": "Bengali", "TAMIL": "Tamil",
}  # fmt: skip


def foreign_language(words: Sequence[str]) -> str | None:
    """The language of a text's words (see `tokenise`) where it is surely not English, else None.

    >>> foreign_language("den ofen auf 180 grad vorheizen und die butter mit dem zucker mischen".split())
    'German'
    """
    if script := _script(words):
        return script
    if len(words) < _ENOUGH:
        return None
    counts = Counter(words)
    english = sum(counts[word] for word in _ENGLISH)
    language, most = max(
        ((name, sum(counts[word] for word in little)) for name, little in _OTHERS.items()),
        key=lambda item: item[1],
    )
    return language if most > english and most >= _SHARE * len(words) else None


def _script(words: Sequence[str]) -> str | None:
    """The script of the most letters, where it is not the Latin one."""
    letters = "".join(words)
    if letters.isascii():
        return None
    other = [sign for sign in letters if ord(sign) > 0x2FF and sign.isalpha()]
    if 2 * len(other) <= len(letters):
        return None
    scripts = Counter(unicodedata.name(sign, "?").split()[0] for sign in other[:1000])
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        return "Japanese"  # which writes Chinese signs too
    return _SCRIPTS.get(scripts.most_common(1)[0][0], "a language in another script")
