"""5. Debris fall and 6. Mining."""

import functools
from collections.abc import Callable

import pytest

from tests.debrium.script import Script, Turn, find_game, idle_game, tell, tell_random
from tests.games.stage import Event, in_round, of

#: A board of chips that take one worker each until others fall, and workers enough for all that is placed here.
ONES = ["chips_level_1=32", "chips_level_2=0", "chips_level_3=0", "free_workers=12", "max_workers=12"]
COLUMNS = 4
ROUNDS = range(1, 11)


def falls(index: int) -> list[Event]:
    return of(idle_game(tuple(ONES), index), "fall")


def fall_of(events: list[Event], number: int) -> Event:
    return of(in_round(events, number), "fall")[0]


def lost(events: list[Event], number: int) -> set[tuple[int, int]]:
    return {(seat, space) for seat, space in fall_of(events, number)["lost"]}


def collected(events: list[Event], number: int) -> list[tuple[int, int]]:
    return [(event["seat"], event["space"]) for event in of(in_round(events, number), "collect")]


@functools.cache
def game_with(column: bool, row: bool) -> tuple[int, int]:
    """A game and the round from the third on in which these shapes burst and no others."""

    def bursts(fall: Event) -> bool:
        return (fall["burst_column"], fall["burst_row"]) == (column, row)

    index = find_game(ONES, lambda events: any(map(bursts, of(events, "fall")[2:])))
    return index, next(number for number in ROUNDS if number > 2 and bursts(falls(index)[number - 1]))


def struck_at(fall: Event) -> tuple[int, list[int], list[int], list[int]]:
    """The impact, the others of its column, the others of its row, and the spaces in neither."""
    column = [s for s in range(16) if s % COLUMNS == fall["column"] and s != fall["space"]]
    row = [s for s in range(16) if s // COLUMNS == fall["row"] and s != fall["space"]]
    away = [s for s in range(16) if s % COLUMNS != fall["column"] and s // COLUMNS != fall["row"]]
    return fall["space"], column, row, away


def in_that_round(number: int, *spaces: int) -> Script:
    return {number: Turn(spaces=spaces)}


# --- The impact --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sets", [[], ["rows=3", "columns=5", "stack_height=1", "chips_level_1=15"]])
def test_the_space_that_column_and_row_name_is_the_impact(sets: list[str]) -> None:
    if sets:
        sets = [*sets, "chips_level_2=0", "chips_level_3=0"]
    rows, columns = (3, 5) if sets else (4, 4)
    seen = [fall for index in range(20) for fall in of(tell_random(*sets, index=index), "fall")]
    assert all(fall["space"] == fall["row"] * columns + fall["column"] for fall in seen)
    assert {fall["space"] for fall in seen} == set(range(rows * columns))


def test_workers_on_the_impact_fail_and_a_players_other_placements_stand() -> None:
    """Without a burst even those in the impact's column and row."""
    impact, column, row, away = struck_at(falls(0)[0])
    events = tell(ONES, in_that_round(1, column[0], impact, row[0], away[0]))
    assert fall_of(events, 1)["lost"] == [[0, impact]]
    assert collected(events, 1) == [(0, column[0]), (0, row[0]), (0, away[0])]


def test_the_fallen_chip_is_not_mined_in_its_own_round() -> None:
    impact = falls(0)[0]["space"]
    events = tell(ONES, in_that_round(1, impact))
    assert collected(events, 1) == []


def test_the_fallen_chip_lies_on_top_and_what_it_covered_beneath() -> None:
    """It is collected in the next round, and the chip that it covered after it."""
    index = find_game(ONES, lambda events: len({fall["space"] for fall in of(events, "fall")[:3]}) == 3)
    first, impact = falls(index)[0], falls(index)[0]["space"]
    covered = of(idle_game(tuple(ONES), index), "setup")[0]["stacks"][impact]
    events = tell(ONES, {2: Turn(spaces=(impact,)), 3: Turn(spaces=(impact,))}, index=index)
    got = [(event["level"], event["value"]) for event in of(events, "collect", space=impact)]
    assert got == [(4, first["value"]), tuple(covered[-1])]


def test_a_fall_on_an_empty_space_starts_a_new_stack() -> None:
    sets = ["stack_height=0", "chips_level_1=0", "chips_level_2=0", "chips_level_3=0"]
    events = idle_game(tuple(sets))
    first, second = of(events, "fall")[:2]
    assert first["space"] != second["space"]
    events = tell(sets, {2: Turn(spaces=(first["space"],))})
    taken = of(events, "collect")[0]
    assert (taken["level"], taken["value"]) == (4, first["value"])


# --- Bursts ------------------------------------------------------------------------------------------


def test_in_a_column_burst_all_workers_in_that_column_fail_and_no_others() -> None:
    index, number = game_with(column=True, row=False)
    impact, column, row, away = struck_at(falls(index)[number - 1])
    first = in_that_round(number, column[0], row[0], away[0])
    second = in_that_round(number, column[1], impact, row[1])
    events = tell(ONES, first, second, in_that_round(number, column[2], away[1]), index=index)
    assert lost(events, number) == {(0, column[0]), (1, column[1]), (1, impact), (2, column[2])}
    assert collected(events, number) == [(0, row[0]), (0, away[0]), (1, row[1]), (2, away[1])]


def test_in_a_row_burst_all_workers_in_that_row_fail_and_no_others() -> None:
    index, number = game_with(column=False, row=True)
    impact, column, row, away = struck_at(falls(index)[number - 1])
    first = in_that_round(number, column[0], row[0], away[0])
    second = in_that_round(number, column[1], impact, row[1])
    events = tell(ONES, first, second, in_that_round(number, row[2], away[1]), index=index)
    assert lost(events, number) == {(0, row[0]), (1, row[1]), (1, impact), (2, row[2])}
    assert collected(events, number) == [(0, column[0]), (0, away[0]), (1, column[1]), (2, away[1])]


def test_both_can_burst_in_one_round() -> None:
    index, number = game_with(column=True, row=True)
    impact, column, row, away = struck_at(falls(index)[number - 1])
    events = tell(ONES, in_that_round(number, column[0], row[0], away[0], impact), index=index)
    assert lost(events, number) == {(0, column[0]), (0, row[0]), (0, impact)}
    assert collected(events, number) == [(0, away[0])]


def test_a_placement_hit_by_impact_and_burst_fails_once() -> None:
    index, number = game_with(column=True, row=True)
    impact = falls(index)[number - 1]["space"]
    events = tell(ONES, in_that_round(number, impact), index=index)
    assert fall_of(events, number)["lost"] == [[0, impact]]


SHAPES = [("column", "row"), ("row", "column")]


def label_returns(shape: str, which: Callable[[list[int]], list[int]]) -> Callable[[list[Event]], bool]:
    """Fits a game in which the draw after the first burst of a shape has one of certain labels shown before."""

    def fits(events: list[Event]) -> bool:
        drawn = [fall[shape] for fall in of(events, "fall")]
        bursts = [fall[f"burst_{shape}"] for fall in of(events, "fall")]
        if True not in bursts[:-1]:
            return False
        at = bursts.index(True)
        return drawn[at + 1] in which(drawn[: at + 1])

    return fits


@pytest.mark.parametrize("shape", ["column", "row"])
def test_after_a_burst_all_chips_of_that_shape_go_back_to_their_bag_the_drawn_one_included(shape: str) -> None:
    """So neither the label that burst nor another that was on display bursts in the next draw."""
    others = find_game([], label_returns(shape, lambda drawn: [label for label in drawn if label != drawn[-1]]))
    same = find_game([], label_returns(shape, lambda drawn: drawn[-1:]))
    for index in (others, same):
        bursts = [fall[f"burst_{shape}"] for fall in of(idle_game((), index), "fall")]
        assert not bursts[bursts.index(True) + 1]


@pytest.mark.parametrize(("shape", "other"), SHAPES)
def test_the_other_shapes_display_is_untouched_by_a_burst(shape: str, other: str) -> None:
    """What the other shape shows before the burst still bursts in the draw after it."""

    def fitting(events: list[Event]) -> list[Event]:
        """The falls after a burst of the one shape that draw a label which the other, not burst yet, has shown."""
        seen = of(events, "fall")
        return [
            seen[k + 1]
            for k in range(len(seen) - 1)
            if seen[k][f"burst_{shape}"]
            and not any(fall[f"burst_{other}"] for fall in seen[: k + 1])
            and seen[k + 1][other] in [fall[other] for fall in seen[: k + 1]]
        ]

    index = find_game([], lambda events: bool(fitting(events)))
    assert all(fall[f"burst_{other}"] for fall in fitting(idle_game((), index)))


@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize("shape", ["column", "row"])
def test_a_burst_is_the_second_chip_of_a_label_on_display(shape: str, copies: int) -> None:
    """With three copies of each still the second."""
    for index in range(100):
        display: set[int] = set()
        for fall in of(idle_game((f"coordinate_copies={copies}",), index), "fall"):
            is_second = fall[shape] in display
            assert fall[f"burst_{shape}"] == is_second
            display = set() if is_second else display | {fall[shape]}


# --- Mining ------------------------------------------------------------------------------------------


def test_workers_collect_the_top_chip_as_it_was_placed_on_and_the_one_beneath_from_the_next_round_on() -> None:
    index = find_game(ONES, lambda events: len({fall["space"] for fall in of(events, "fall")[:3]}) == 3)
    struck = {fall["space"] for fall in falls(index)[:3]}
    space = next(s for s in range(16) if s not in struck and not is_burst_at(index, s, rounds=2))
    stack = of(idle_game(tuple(ONES), index), "setup")[0]["stacks"][space]
    events = tell(ONES, {1: Turn(spaces=(space,)), 2: Turn(spaces=(space,))}, index=index)
    got = [(event["level"], event["value"], event["extra"]) for event in of(events, "collect")]
    assert got == [(*stack[1], False), (*stack[0], False)]


def is_burst_at(index: int, space: int, rounds: int) -> bool:
    return any(
        (fall["burst_column"] and space % COLUMNS == fall["column"])
        or (fall["burst_row"] and space // COLUMNS == fall["row"])
        for fall in falls(index)[:rounds]
    )


def test_chips_are_collected_in_turn_order() -> None:
    _, _, _, away = struck_at(falls(0)[0])
    seats = [{1: Turn(coins, spaces=(away[seat], away[seat + 4]))} for seat, coins in enumerate((1, 0, 3, 2))]
    events = tell(ONES, *seats)
    expected = [(seat, space) for seat in (2, 3, 0, 1) for space in (away[seat], away[seat + 4])]
    assert collected(events, 1) == expected


def test_the_chip_of_the_final_fall_cannot_be_mined() -> None:
    """Whoever waits for it on the impact is lost, and then the game ends."""
    impact = falls(0)[-1]["space"]
    events = tell(ONES, in_that_round(10, impact))
    assert lost(events, 10) == {(0, impact)}
    assert [event["event"] for event in events[-2:]] == ["fall", "end"]
    assert sum(events[-1]["chips"]) == 0
