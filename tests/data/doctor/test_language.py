from __future__ import annotations

import pytest

from chef.data.doctor.language import foreign_language
from chef.text.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Heat the oven and mix the flour with the butter in a bowl until it is smooth.", None),
        (
            "Chop onions. Fry onions, garlic, ginger. Add tomatoes, stock, salt. Simmer 20 minutes. Serve.",
            None,
        ),
        (
            "Den Ofen auf 180 Grad heizen. Mehl und Butter in einer Schüssel mit der Milch verrühren.",
            "German",
        ),
        ("Mélanger la farine avec le beurre et les œufs dans un grand bol, puis cuire au four.", "French"),
        (
            "Mezclar la harina con los huevos y el azúcar. Hornear por 20 minutos hasta que se dore.",
            "Spanish",
        ),
        ("Mescolare la farina con il burro e lo zucchero, poi cuocere nel forno per una ora.", "Italian"),
        (
            "Meng het meel met de boter en een ei in een kom. Laat het deeg een uur op een bord staan.",
            "Dutch",
        ),
        ("Blanda mjöl och smör i en skål. Tillsätt ett ägg och rör om tills det är en jämn smet.", "Swedish"),
        ("把面粉和鸡蛋放进碗里搅拌均匀", "Chinese"),
        ("小麦粉とバターをボウルに入れてよく混ぜる", "Japanese"),
        ("Смешайте муку с маслом и яйцами", "Russian or another language in Cyrillic"),
        ("Mehl und Butter", None),  # too short to say
        ("", None),
    ],
)
def test_language(text: str, language: str | None) -> None:
    assert foreign_language(tokenise(text)) == language
