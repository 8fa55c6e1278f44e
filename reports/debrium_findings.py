"""What the report on Debrium says first: the findings, each called against a band stated here."""

from __future__ import annotations

from collections.abc import Sequence

from reports.findings import (
    Band,
    Called,
    Check,
    Finding,
    Tag,
    Topic,
    highest,
    lowest,
    of_count,
    of_metric,
)
from reports.findings import find as call_topics
from reports.numbers import GAP, amount, percent, plain, share
from reports.parts import Table
from reports.runs import Shown
from reports.tables import spread
from reports.topics import (
    around_fair,
    bands_table,
    by_side,
    by_tag,
    evenness,
    fair,
    most_often,
    of_policies,
    of_seats,
    policy_line,
    policy_title,
    range_line,
)
from sim.debrium.exact import expected_bursts, mean_loss_by_round

#: How far a win rate may lie from the fair share, as a part of it.
POLICY_REACH, SEAT_REACH, PLACE_REACH, COMPANY_REACH = 0.40, 0.04, 0.08, 0.16

#: Shares of games in which one thing decides who wins: it should matter, and not be all that matters.
DECIDES = Band(0.10, 0.30)

#: Share of games in which the lead becomes what it ends as only in the last round.
LATE_LEAD = Band(0.10, 0.40)

#: How far measured bursts may lie from their exact expectation, as a part of it.
BURST_REACH = 0.01

#: The fewest seats that a number of debt cards must have to be worth a sentence.
COMMON = 0.02


def bands(runs: Sequence[Shown]) -> Table:
    """Return the bands that findings on these runs are called against."""
    is_dealt = all(run.played.rules.values["initial_order"] == "random" for run in runs)
    chairs, order = (
        ("chairs have no part in the rules; checks the simulation", "the first order is drawn, not earned")
        if is_dealt
        else ("chairs are not chosen, and may give the first order", "the first order is not earned")
    )
    rows = [
        (
            "win rate of a policy",
            around_fair(POLICY_REACH),
            "no way of playing should be hopeless or a must",
        ),
        (
            "win rate of a seat",
            around_fair(SEAT_REACH),
            chairs,
        ),
        (
            "win rate of a starting place",
            around_fair(PLACE_REACH),
            order,
        ),
        (
            "win rate of a company",
            around_fair(COMPANY_REACH),
            "companies are dealt, not chosen",
        ),
        ("games that the King's bonus, debt or coins decide", str(DECIDES), "it should matter without being all"),
        ("games won in the last round", str(LATE_LEAD), "open to the end, yet not decided by the end alone"),
        ("bursts against their exact number", f"± {100 * BURST_REACH:.0f}{GAP}%", "checks the simulation"),
    ]
    return bands_table(rows)


def find(runs: Sequence[Shown]) -> tuple[list[Finding], int]:
    """Return the findings on these runs, and how many values were called together for them."""
    return call_topics(runs, checks, _TOPICS)


def checks(run: Shown) -> list[Check]:
    """Return every value of a run that the findings name."""
    labels = run.played.labels
    found = of_policies(run, POLICY_REACH)
    if len(labels) > 1:
        for label in labels if run.estimate("king_awarded").value > 0 else ():
            found += of_metric("king_policy", run, label, f"king_by_policy[{label}]")
    found += of_seats(run, SEAT_REACH)
    for place in ("1st", "2nd", "3rd", "4th")[: run.players]:
        found += of_metric("place", run, place, f"win_rate_by_start_place[{place}]", fair(run, PLACE_REACH))
    if run.played.rules.values["expansion"]:
        for name in ("red", "blue", "yellow", "green"):
            found += of_metric(
                "company", run, name.capitalize(), f"win_rate_by_company[{name}]", fair(run, COMPANY_REACH)
            )
    if run.played.rules.values["mining_king_bonus"] != 0:
        found += of_metric("king", run, "decides", "king_decided", DECIDES)
    found += of_metric("king", run, "wins", "win_rate_by_king[yes]")
    found += of_metric("king", run, "tied", "king_tied")
    if any(run.played.rules.values["debt_penalty"]):  # type: ignore[arg-type]
        found += of_metric("debt", run, "decides", "debt_decided", DECIDES)
    for cards in _common_cards(run):
        found += of_metric("debt", run, cards, f"win_rate_by_debt_cards[{cards}]")
    if _has_coins(run):
        found += of_metric("coins", run, "decides", "coins_decided", DECIDES)
    found += _lead_checks(run)
    found += of_metric("loss", run, "loss", "loss_rate")
    for shape, expected in exact_bursts(run).items():
        band = Band(expected * (1 - BURST_REACH), expected * (1 + BURST_REACH))
        found += of_metric("burst", run, shape, f"bursts_{shape}", band)
    return found


def _lead_checks(run: Shown) -> list[Check]:
    """Return when games are decided; nothing for a game of a single round."""
    rounds = run.played.totals.layout.plan.rounds
    led_from = spread(run.played.totals, "led_from")
    late = int(led_from.loc[led_from["led_from"] == rounds, "count"].sum())
    if rounds == 1:
        return []
    return [
        *of_count("lead", run, "last", late, LATE_LEAD),
        *of_metric("lead", run, "from", "led_from"),
        *of_metric("lead", run, "changes", "lead_changes"),
    ]


def _has_coins(run: Shown) -> bool:
    """Tell whether anybody can hold a coin that counts."""
    values = run.played.rules.values
    coins = (values["starting_coins"] or values["starting_pool"]) and values["coin_points"]
    skill_coins = values["expansion"] and values["starting_skill_coins"] and values["skill_coin_points"]
    return bool(coins or skill_coins)


def exact_bursts(run: Shown) -> dict[str, float]:
    """Return the exact expected bursts of a run's rules by shape."""
    values = run.played.rules.values
    copies, rounds = int(values["coordinate_copies"]), int(values["chips_level_4"])  # type: ignore[arg-type]
    return {
        shape: float(expected_bursts(int(values[labels]), copies, rounds))  # type: ignore[arg-type]
        for shape, labels in (("column", "columns"), ("row", "rows"))
    }


def exact_loss(run: Shown) -> list[float]:
    """Return by round the exact chance that workers on a space picked at random fail."""
    values = run.played.rules.values
    keys = ("columns", "rows", "coordinate_copies", "chips_level_4")
    columns, rows, copies, rounds = (int(values[key]) for key in keys)  # type: ignore[arg-type]
    return [float(chance) for chance in mean_loss_by_round(columns, rows, copies, rounds)]


def _common_cards(run: Shown) -> list[str]:
    """Return the lowest and the highest number of debt cards that seats often end with."""
    shares = run.frame[(run.frame["of"] == "seats_by_debt_cards") & (run.frame["value"] >= 100 * COMMON)]
    cards = [str(category) for category in shares["category"]]
    return list(dict.fromkeys([cards[0], cards[-1]])) if cards else []


# Titles and lines, a pair for each topic -----------------------------------------------------------


def _seat_title(_groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        "Seats are uneven",
        "Seats are even",
        "Seats look even, with too few games to be sure",
    )


def _place_title(_groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        "The place in the first turn order matters",
        "The place in the first turn order hardly matters",
        "How much the place in the first turn order matters is open",
    )


def _place_line(run: Shown, parts: dict[str, Called]) -> str:
    said = ", ".join(f"{place} {percent(one.found)}" for place, one in parts.items())
    return f"win rate by starting place: {said} (fair share {share(run.fair)})"


def _company_title(groups: list[list[Called]], called_as: Tag) -> str:
    return evenness("companies", groups, called_as)


def _king_title(groups: list[list[Called]], called_as: Tag) -> str:
    if called_as == "for information":
        return "The Mining King gets no bonus"
    return f"The Mining King's bonus decides {_often(groups, called_as)}"


def _often(groups: list[list[Called]], called_as: Tag, them: str = "it") -> str:
    if called_as == "inside the band":
        return f"some games, as {them} should"
    if called_as == "too close to call":
        return "a share of games that is too close to call"
    return by_side(groups, "too many games", "too few games")


def _king_line(_run: Shown, parts: dict[str, Called]) -> str:
    said = []
    if "decides" in parts:
        said.append(f"without it {percent(parts['decides'].found)} of the games would have other winners")
    if "wins" in parts:
        said.append(f"the King wins {percent(parts['wins'].found)}")
        said.append(f"the turn order breaks a tie for King in {percent(parts['tied'].found)}")
    else:
        said.append("nobody ever is King")
    return "; ".join(said)


def _king_policy_title(groups: list[list[Called]], _: Tag) -> str:
    return most_often(groups, "becomes Mining King")


def _king_policy_line(_run: Shown, parts: dict[str, Called]) -> str:
    best, worst = highest(list(parts.values())), lowest(list(parts.values()))
    return f"{best.subject} in {percent(best.found)} of its games, {worst.subject} in {percent(worst.found)}"


def _debt_title(groups: list[list[Called]], called_as: Tag) -> str:
    return "Debt costs nothing" if called_as == "for information" else f"Debt decides {_often(groups, called_as)}"


def _debt_line(run: Shown, parts: dict[str, Called]) -> str:
    cards = [
        f"{percent(one.found)} with {subject} {'card' if subject == '1' else 'cards'}"
        for subject, one in parts.items()
        if subject != "decides"
    ]
    said = []
    if "decides" in parts:
        said.append(f"without penalties {percent(parts['decides'].found)} of the games would have other winners")
    if cards:
        said.append(f"seats win {' and '.join(cards)}, which goes with how they play")
    return "; ".join(said)


def _coins_title(groups: list[list[Called]], called_as: Tag) -> str:
    return f"Coins kept decide {_often(groups, called_as, 'they')}"


def _coins_line(_run: Shown, parts: dict[str, Called]) -> str:
    return f"if coins counted nothing {percent(parts['decides'].found)} of the games would have other winners"


def _lead_title(groups: list[list[Called]], called_as: Tag) -> str:
    hang = by_side(groups, "Too many games hang on the last round", "Too few games stay open to the last round")
    return by_tag(
        called_as,
        hang,
        "Games stay open without hanging on the last round",
        "How many games stay open to the last round is too close to call",
    )


def _lead_line(_run: Shown, parts: dict[str, Called]) -> str:
    return (
        f"the lead is what it ends as only after the last round in {percent(parts['last'].found)} of the games, on "
        f"average from round {amount(parts['from'].found)}; the lead changes {amount(parts['changes'].found)} times"
    )


def _loss_title(_groups: list[list[Called]], _: Tag) -> str:
    return "How many placements the debris takes"


def _loss_line(run: Shown, parts: dict[str, Called]) -> str:
    exact = exact_loss(run)
    mean = sum(exact) / len(exact)
    lost = percent(parts["loss"].found)
    return f"{lost} of all placements are lost; on spaces picked at random it would be {share(mean)}"


def _burst_title(_groups: list[list[Called]], called_as: Tag) -> str:
    return by_tag(
        called_as,
        "Bursts differ from their exact chance: distrust this report",
        "Bursts come as often as calculated: the simulation holds",
        "Bursts agree with their exact chance as far as so few games tell",
    )


def _burst_line(run: Shown, parts: dict[str, Called]) -> str:
    exact = exact_bursts(run)
    said = [
        f"{amount(one.found)} {shape} bursts a game (calculated: {plain(exact[shape], 3)})"
        for shape, one in parts.items()
    ]
    return " and ".join(said)


_BEST, _WORST = "{subject} wins {rate}", "{subject} {rate}"
_RANGE_LINE = range_line("each wins {rate}", _BEST, _WORST)
_POLICY_LINE = policy_line(POLICY_REACH, "each wins {rate} of its games", f"{_BEST} of its games", _WORST)

_TOPICS: tuple[Topic, ...] = (
    ("policy", policy_title, _POLICY_LINE),
    ("place", _place_title, _place_line),
    ("seat", _seat_title, _RANGE_LINE),
    ("company", _company_title, _RANGE_LINE),
    ("king", _king_title, _king_line),
    ("king_policy", _king_policy_title, _king_policy_line),
    ("debt", _debt_title, _debt_line),
    ("coins", _coins_title, _coins_line),
    ("lead", _lead_title, _lead_line),
    ("loss", _loss_title, _loss_line),
    ("burst", _burst_title, _burst_line),
)
