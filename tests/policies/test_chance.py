"""`rng` is drawn from and handed on, and nothing else: who reads its word knows what is to come."""

from __future__ import annotations

import pytest

from tests.policies.texts import RNG, bid, passes, refusal

STREAMS = {
    "its word": ["choice.coins = rng.word"],
    "its word by name": ['choice.coins = rng["word"]'],
    "an item": ["choice.coins = rng[0]"],
    "another name": ["chance = rng", "choice.coins = below(chance, 2)"],
    "one of two names": ["chance, seat = rng, own.seat"],
    "a name in passing": ["choice.coins = below((chance := rng), 2)"],
    "in a list": ["choice.coins = [rng][0].word"],
    "in a tuple handed on": ["choice.coins = below(*(rng, 2))"],
    "as another argument": ["choice.coins = below(2, rng)"],
    "to a view": ["choice.coins = is_free(rng, 2)"],
    "to numpy": ["choice.coins = np.array(rng)"],
    "to Python": ["choice.coins = len(rng)"],
    "written": ["rng.word = 1"],
    "given anew": ["rng = own", "choice.coins = below(rng, 2)"],
    "given anew in a loop": ["for rng in range(3):", "    choice.coins = 1"],
    "given anew in a list": ["choice.coins = len([rng for rng in range(3)])"],
    "taken away": ["del rng"],
    "compared": ["choice.coins = rng == rng"],
    "in a text": ["raise ValueError(f'{rng}')"],
    "to a name that is something else here": ["below = own.memory", "choice.coins = below(rng, 2)"],
    "to a field": ["choice.coins = own.memory(rng)"],
    "to a method": ["choice.coins = own.memory.fill(rng)"],
}


@pytest.mark.parametrize("what", STREAMS)
def test_nothing_is_done_with_the_stream_but_draw_and_hand_on(what):
    top = f"import numpy as np\n\nfrom sim.debrium.view import is_free\n{RNG}"
    said = refusal(bid(*STREAMS[what], top=top))
    assert said.split(": ")[1].startswith("'rng' is only drawn from and handed on"), said


HELPERS = {
    "its word": ("def _draw(chance):\n    return chance.word\n", "_draw(rng)"),
    "another name": ("def _draw(chance):\n    it = chance\n    return below(it, 2)\n", "_draw(rng)"),
    "by name": ("def _draw(n, *, chance):\n    return chance.word + n\n", "_draw(1, chance=rng)"),
    "two helpers on": (
        "def _draw(n, chance):\n    return _more(chance)\n\n\ndef _more(luck):\n    return luck.word\n",
        "_draw(1, rng)",
    ),
    "any number of arguments": ("def _draw(*all):\n    return all[0].word\n", "_draw(rng)"),
    "after a list of arguments": ("def _draw(a, b):\n    return b.word\n", "_draw(*(1,), rng)"),
    "any names of arguments": ("def _draw(**all):\n    return all\n", "_draw(rng=rng)"),
    "a default": ("def _draw(n, chance=below):\n    return n\n", "_draw(1)"),
    "a helper of a helper's name": ("def _draw(chance, is_free):\n    return is_free(chance)\n", "_draw(rng, 1)"),
}


@pytest.mark.parametrize("what", HELPERS)
def test_a_helper_is_under_the_same_rule(what):
    helper, call = HELPERS[what]
    refusal(bid(f"choice.coins = {call}", top=f"{RNG}\n\n{helper}\n"))


def test_drawing_and_handing_on_are_fine():
    top = f"""
from sim.rng import below as draw
{RNG}

def _pick(chance, n):
    order = [k for k in range(n)]
    return _more(n, luck=chance) + below(chance, n)


def _more(n, luck):
    shuffled = [0] * n
    return uniform(luck) * sum([below(luck, 2) for _ in range(n)])
"""
    passes(bid("shuffle(rng, own.memory, 3)", "choice.coins = min(own.coins, _pick(rng, 3) + draw(rng, 2))", top=top))


def test_a_decision_may_call_its_arguments_otherwise():
    text = f"{RNG}\n\ndef bid(r, t, o, luck, c):\n    c.coins = below(luck, o.coins + 1)\n"
    passes(text)
    assert refusal(text.replace("below(luck, o.coins + 1)", "luck.word")).startswith("5: 'luck' is only drawn from")
