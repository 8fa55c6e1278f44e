"""The designer's questions to Book Festival; chances of being MVP are exact, given each game's stars."""

from __future__ import annotations

from reports.book_festival_mechanics import ITEM_NAMES
from reports.questions import Listed, Question, Subject, Vary
from sim.book_festival.lottery import MAX_SEATS
from sim.book_festival.state import ANIMALS

_GAME, _EXACT = "book_festival", "exact-lottery"
_ITEMS = {**ITEM_NAMES, "end_shelf": "the end shelf"}

QUESTIONS = (
    Question(
        "leader-loss", _GAME, "How often does the star leader lose the MVP draw?",
        ("leader_loses", "leader_lost", "unique_leader", "unique_leader_loses_if_unique"),
        "In {0} of games no star leader becomes MVP (as drawn: {1}); {2} of games have a single leader, who then "
        "loses {3}.",
        (
            Listed(
                "by_margin", "leader_loses_by_margin", "by stars ahead of the next", "margin", "loses",
                beside=(("leader_lost_by_margin", "drawn"),), is_counted=True,
            ),
        ), vary=Vary("mvp_draws", (1, 3, 5, 10, 20, 30), "by_draws"), method=_EXACT,
    ),
    Question(
        "comeback", _GAME, "How often does a seat that is not first in stars become MVP?",
        ("leader_loses", "last_wins"),
        "Somebody who is not a star leader becomes MVP in {0} of games, one with the fewest stars in {1}.",
        (Listed("by_rank", "win_rate_by_rank", "chance of being MVP by rank in stars"),), method=_EXACT,
    ),
    Question(
        "mvp-fairness", _GAME, "Does the draw reward stars in proportion?",
        ("win_rate_by_rank[1]", "share_by_rank[1]"),
        "The first in stars is MVP with chance {0} on {1} of the stars.",
        (
            Listed("chance_by_rank", "win_rate_by_rank", "chance of being MVP by rank in stars"),
            Listed("share_by_rank", "share_by_rank", "share of the stars by rank"),
        ), method=_EXACT,
    ),
    Question(
        "animal-strength", _GAME, "Which animal helps its owner most?",
        ("win_rate_by_animal[{about}]",), "{ends}.",
        (
            Listed("chance_by_animal", "win_rate_by_animal", "chance of being MVP by animal"),
            Listed("stars_by_animal", "stars_by_animal", "stars by animal"),
        ), subject=Subject(
            "win_rate_by_animal[{about}]", {name: f"the {name}" for name in ANIMALS},
            "Most often MVP is the owner of {most}, least often that of {least}",
            "No animal is clearly ahead of another",
        ), method=_EXACT,
    ),
    Question(
        "seat-advantage", _GAME, "Does it matter where one sits?",
        ("win_rate_by_seat[0]",), "The start player's seat is MVP with chance {0}. {ends}.",
        (Listed("by_seat", "win_rate_by_seat", "chance of being MVP by seat"),),
        subject=Subject(
            "win_rate_by_seat[{about}]", {str(seat): f"seat {seat}" for seat in range(MAX_SEATS)},
            "Most often it is {most}, least often {least}", "No seat is clearly ahead of another",
        ), method=_EXACT,
    ),
    Question(
        "pop-value", _GAME, "What is each POP worth?",
        (
            "brought_per_card[{about}]", "bought_{about}",
            "chance_when_bought_{about}", "win_rate_by_bought_{about}[0]",
        ),
        "Of all that costs cards {about} is bought most often, {1} times a seat and game: it brings {0} {unit} spent "
        "on it. Its buyers, counted once for each, are MVP with chance {2}, seats without it with {3}; such chances "
        "go with how the policies that buy play.",
        (
            Listed(
                "brought_per_card", "brought_per_card",
                "what a card spent on each brings, Trial Read's use counted (With Booklet brings cards, no stars)",
            ),
            *(
                Listed(
                    f"chance_by_{item}", f"win_rate_by_bought_{item}",
                    f"chance of being MVP by how many were bought: {name}",
                )
                for item, name in ITEM_NAMES.items()
            ),
        ), subject=Subject("bought_{about}", _ITEMS), method=_EXACT,
    ),
    Question(
        "genre-bonus", _GAME, "What do the genre bonuses bring?",
        ("stars_by_bonus", "stars", "piles", "chance_when_genre_bonus"),
        "A seat gains {0} of its {1} stars from {2} genre bonuses; seats that gain one are MVP with chance {3}, "
        "counted once for each.", method=_EXACT,
    ),
    Question(
        "game-length", _GAME, "How long does a game last?",
        ("lasted", "stalled"), "A game lasts {0} rounds; {1} of games are ended by the guard.",
    ),
    Question(
        "who-runs-out", _GAME, "Who runs out of stars and ends the game?",
        ("is_empty", "ran_out"), "A seat's supply is empty at the end with chance {0}; {1} seats a game are.",
        (
            Listed("by_animal", "empty_by_animal", "seats whose supply is empty, by animal"),
            Listed("by_policy", "empty_by_policy", "seats whose supply is empty, by policy"),
        ),
    ),
)  # fmt: skip
