"""What hangs together in the rules of Debrium: Treasure.

The board is filled exactly; a level has as many values as chips; hiring has a price for each worker that can
be hired; each seat has a company of its own. `sim.rules.load` checks every value on its own first.
"""

from __future__ import annotations

from sim.errors import BadInput
from sim.rules_text import Value

BOARD_LEVELS = (1, 2, 3)
PILE_LEVEL = 4


def resolve(values: dict[str, Value], given: set[str]) -> dict[str, Value]:
    """Return the values to play by: lists that were not given are fitted to the numbers they go with.

    `values` holds every parameter of `rules.toml`, `given` the keys that the user set. Raises `BadInput`, in
    one line that names the keys, for values that do not go together.
    """
    resolved = dict(values)
    _check_board(values)
    for level in (*BOARD_LEVELS, PILE_LEVEL):
        key = f"values_level_{level}"
        resolved[key] = _values_of_level(values, level, is_given=key in given)
    resolved["hire_cost"] = _hire_cost(values, is_given="hire_cost" in given)
    _check_companies(values)
    return resolved


def _check_board(values: dict[str, Value]) -> None:
    """The stacks at the start take every chip of level 1 to 3, and leave none over."""
    rows, columns = _number(values, "rows"), _number(values, "columns")
    if rows * columns < 2:
        raise BadInput("rows and columns are 1 and 1; a board needs at least 2 spaces")
    height = _number(values, "stack_height")
    places = rows * columns * height
    chips = [_number(values, f"chips_level_{level}") for level in BOARD_LEVELS]
    if sum(chips) != places:
        raise BadInput(
            f"chips_level_1 + chips_level_2 + chips_level_3 = {' + '.join(map(str, chips))} = {sum(chips)}, "
            f"but they must fill the board: rows x columns x stack_height = "
            f"{rows} x {columns} x {height} = {places}"
        )


def _values_of_level(values: dict[str, Value], level: int, is_given: bool) -> tuple[int, ...]:
    """A changed number of chips cycles the listed values in order; a list that was given must fit."""
    chips = _number(values, f"chips_level_{level}")
    listed = _numbers(values, f"values_level_{level}")
    if not is_given:
        return tuple(listed[i % len(listed)] for i in range(chips))
    if len(listed) != chips:
        raise BadInput(
            f"values_level_{level} lists {len(listed)} values, but chips_level_{level} = {chips}; "
            f"list {chips} values, or leave values_level_{level} out"
        )
    return listed


def _hire_cost(values: dict[str, Value], is_given: bool) -> tuple[int, ...]:
    """There is one total for each number of workers that can be hired; a default too long is cut."""
    free, most = _number(values, "free_workers"), _number(values, "max_workers")
    if most < free:
        raise BadInput(f"max_workers = {most} must be at least free_workers = {free}")
    costs = _numbers(values, "hire_cost")
    hired = most - free
    if len(costs) < hired or (is_given and len(costs) > hired):
        raise BadInput(
            f"hire_cost lists {len(costs)} totals, but max_workers - free_workers = {most} - {free} = {hired}"
            f"; list {hired}"
        )
    return costs[:hired]


def _check_companies(values: dict[str, Value]) -> None:
    """Each seat has a company, all different; the list is checked without the expansion as well."""
    companies = values["companies"]
    if not isinstance(companies, tuple):
        return
    players = _number(values, "players")
    if len(companies) != players:
        raise BadInput(f"companies lists {len(companies)}, but players = {players}; list one for each seat")
    if len(set(companies)) != players:
        raise BadInput(f"companies lists one twice ({', '.join(map(str, companies))}); all must be different")


def _number(values: dict[str, Value], key: str) -> int:
    value = values[key]
    assert isinstance(value, int), key
    return value


def _numbers(values: dict[str, Value], key: str) -> tuple[int, ...]:
    value = values[key]
    assert isinstance(value, tuple), key
    return tuple(entry for entry in value if isinstance(entry, int))
