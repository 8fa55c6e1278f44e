"""Every game kept as Parquet: each number is the one that the game's trace tells and that the run counts."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from policies import load as load_policy
from reports import tables
from sim.batch import Batch, LineUp
from sim.blocks import Totals
from sim.game import Column, load_game
from sim.replay import replay
from sim.rules import load
from sim.schedule import GROUP_BLOCKS
from sim.sweep import Goal
from tests.book_festival.test_outcomes import Ledger as BookFestivalLedger
from tests.debrium.test_outcomes import Ledger as DebriumLedger
from tests.interruptions import play
from tests.support import MIXED, batch

SMALL = 20
#: A group, and another of two blocks and a short one.
GAMES = GROUP_BLOCKS * SMALL + 2 * SMALL + 7
#: The first game and the last, and those on either side of where blocks and groups begin.
SOME = (0, SMALL - 1, SMALL, GROUP_BLOCKS * SMALL - 1, GROUP_BLOCKS * SMALL, GAMES - 8, GAMES - 7, GAMES - 1)

PLAYED = (
    ("debrium", "players=3", "shuffled"),
    ("debrium", "players=4", "drawn"),
    ("debrium", "players=3 expansion=true tie=order", "drawn"),
    ("debrium", "players=4 expansion=true starting_skill_coins=9 chips_level_4=14", "fixed"),
    ("debrium", "players=3 chips_level_4=2", "fixed"),
    ("book_festival", "players=3", "drawn"),
    ("book_festival", "players=4", "shuffled"),
    ("book_festival", "players=5 max_rounds=9 mvp_tie=shared", "fixed"),
    ("book_festival", "players=6", "drawn"),
    ("book_festival", "players=6 extension=true mvp_draws=2 mvp_tie=stars", "drawn"),
)
WORDS = ("1st", "2nd", "3rd", "4th")

Table = list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Kept:
    """A run that was played with rows."""

    of: Batch
    folder: Path
    totals: Totals

    def table(self, name: str) -> Any:
        return pq.read_table(self.folder / "rows" / name)


def random_seats(game: str, sets: str, mode: str, block_games: int = SMALL) -> Batch:
    """A batch of random play under several names, which are drawn from where the line-up is."""
    rules = load(game, sets=sets.split())
    policy = load_policy(load_game(game), "random_legal")
    labels = [f"name{number}:king=0.5" for number in range(rules.values["players"] + (mode == "drawn"))]
    pool = tuple(dataclasses.replace(policy, label=label) for label in labels)
    return Batch(game, rules, LineUp(pool, mode), 5, block_games)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], Kept]:
    """A run of a variant, each played when first asked for."""

    @functools.cache
    def played(game: str, sets: str, mode: str) -> Kept:
        of, folder = random_seats(game, sets, mode), tmp_path_factory.mktemp("rows") / "run"
        sweep = play([of], Goal(GAMES), [folder], rows=True)
        assert sweep is not None
        return Kept(of, folder, sweep.cells[0].totals)

    return played


# Against the trace.


def in_units(columns: Sequence[Column], counted: dict[str, Any]) -> dict[str, Any]:
    """Numbers as they are counted, lists by column, as a table has them: in their units, column by column."""
    found: dict[str, Any] = {}
    for column in columns:
        if column.name in counted:
            entries = counted[column.name] if column.entries else [counted[column.name]]
            fraction = round(1 / column.scale)
            found |= zip(
                column.names(), [entry if fraction == 1 else entry / fraction for entry in entries], strict=True
            )
    return found


def told_debrium(found: Kept, index: int) -> tuple[dict[str, Any], Table, Table]:
    """What the trace tells of a game: the line of the game, those of its seats, those of its rounds."""
    events, outcomes = replay(found.of, index)[0], load_game("debrium").outcomes
    ledger, setup = DebriumLedger(found.of.rules.values, events), events[1]
    seats = [
        {
            "game": index,
            "seat": seat,
            **in_units(outcomes.seat, ledger.seat_row(seat)),
            "policy": events[0]["policies"][seat],
            "company": setup["companies"][seat] if setup["companies"] else None,
            "start_place": WORDS[setup["order"].index(seat)],
            "final_place": WORDS[ledger.order.index(seat)],
            "win": pytest.approx(events[-1]["win_share"][seat], abs=1e-15),
        }
        for seat in ledger.seats
    ]
    rounds = [
        {
            "game": index,
            "round": number,
            **in_units(outcomes.round, entry),
            "first_bid_size": str(entry["first_bid"]) if entry["first_bid"] < 8 else "8_up",
        }
        for number, entry in enumerate(ledger.rounds, 1)
    ]
    return {"game": index, **in_units(outcomes.game, ledger.game_row())}, seats, rounds


def told_book_festival(found: Kept, index: int) -> tuple[dict[str, Any], Table, Table]:
    """The same of a game without a table of rounds, its chances as they are counted: in units of 2^-24."""
    events, outcomes = replay(found.of, index)[0], load_game("book_festival").outcomes
    ledger, mvp = BookFestivalLedger(found.of.rules.values, events), next(e for e in events if e["event"] == "mvp")
    units = [round(line["chance"] * 2**24) for line in found.table("seats").to_pylist() if line["game"] == index]
    assert sum(units) == 2**24
    assert [unit / 2**24 for unit in units] == pytest.approx(mvp["chances"], abs=2**-24)
    seats = []
    for seat in ledger.seats:
        counted = ledger.seat_row(seat, units[seat])
        del counted["weight"]  # the kernel's own
        seats.append(
            {
                "game": index,
                "seat": seat,
                **in_units(outcomes.seat, counted),
                "policy": events[0]["policies"][seat],
                "animal": events[1]["animals"][seat],
                "win": pytest.approx(mvp["win_share"][seat], abs=1e-15),
            }
        )
    return {"game": index, **in_units(outcomes.game, ledger.game_row(units))}, seats, []


TOLD = {"debrium": told_debrium, "book_festival": told_book_festival}


@pytest.mark.parametrize(("game", "sets", "mode"), PLAYED)
def test_every_line_is_what_the_trace_tells(kept, game, sets, mode):
    """No column is left out, in either."""
    found = kept(game, sets, mode)
    names = ["games", "seats", *(["rounds"] if game == "debrium" else [])]
    lines = {name: found.table(name).to_pylist() for name in names}
    for index in SOME:
        line, seats, rounds = TOLD[game](found, index)
        for name, expected in zip(("games", "seats", "rounds"), ([line], seats, rounds), strict=True):
            assert [one for one in lines.get(name, []) if one["game"] == index] == expected, (name, index)


def test_labels_of_the_rows_are_words(kept):
    seats = kept("debrium", "players=3 expansion=true tie=order", "drawn").table("seats").to_pandas()
    assert set(seats["company"]) == {"red", "blue", "yellow", "green"}
    assert set(seats["policy"]) == {f"name{number}:king=0.5" for number in range(4)}
    for place in ("start_place", "final_place"):
        assert set(seats[place]) == {"1st", "2nd", "3rd"}
        assert (seats.groupby("game")[place].nunique() == 3).all()
    base = kept("debrium", "players=3", "shuffled").table("seats")
    assert base["company"].null_count == base.num_rows
    assert sum(base[name].null_count for name in base.column_names if name != "company") == 0


# Against what the run counts.


def counted_rows(found: Kept) -> Iterator[tuple[str, Any, Any]]:
    """Yield each column as a metric: its name there, its numbers, its declaration."""
    outcomes = load_game(found.of.game).outcomes
    for name, columns in (("games", outcomes.game), ("seats", outcomes.seat)):
        frame = found.table(name).to_pandas()
        yield from (
            (entry, frame[entry], column) for column in columns if not column.is_label for entry in column.names()
        )
    if outcomes.round:
        for number, frame in found.table("rounds").to_pandas().groupby("round"):
            for column in (column for column in outcomes.round if not column.is_label):
                yield from ((f"{entry}_by_round[{number}]", frame[entry], column) for entry in column.names())


@pytest.mark.parametrize(("game", "sets", "mode"), PLAYED)
def test_the_mean_of_each_column_is_the_runs(kept, game, sets, mode):
    """Exactly, of what is counted; and as a reader takes it, within the last digits of a float."""
    found = kept(game, sets, mode)
    slots, expected = found.totals.layout.index(), tables.metrics(found.totals)
    seen = set()
    for name, numbers, column in counted_rows(found):
        n, d = found.totals.sums[slots[name], :2]
        assert (int((numbers / column.scale).round().sum()), len(numbers)) == (n, d), name
        told = expected.loc[name, "value"]
        assert math.isnan(told) or numbers.mean() == pytest.approx(told, rel=1e-12), name
        assert (numbers.min(), numbers.max()) == (expected.loc[name, "min"], expected.loc[name, "max"]), name
        seen.add(name)
    means = found.totals.layout.metrics[: found.totals.layout.means]
    assert seen == {metric.name for metric in means if not metric.is_label}


def test_win_rates_of_the_rows_are_the_runs(kept):
    """By policy, seat, company, place and debt cards, as a designer would group them."""
    found = kept("debrium", "players=3 expansion=true tie=order", "drawn")
    seats, expected = found.table("seats").to_pandas(), tables.metrics(found.totals)
    for by in ("policy", "seat", "company", "start_place", "final_place", "debt_cards"):
        rates = seats.groupby(by, observed=True)["win"].mean()
        counted = tables.group(expected, f"win_rate_by_{by}").set_index("category")["value"]
        assert {str(key): value for key, value in rates.items()} == pytest.approx(dict(counted))


def test_drawn_policies_of_the_rows_are_the_runs(tmp_path):
    """The built-in ones, whose numbers in a row are their places among the names."""
    of = batch(MIXED, "drawn", ["expansion=true"], seed=3, block_games=SMALL)
    sweep = play([of], Goal(100), [tmp_path], rows=True)
    assert sweep is not None
    seats = pq.read_table(tmp_path / "rows" / "seats").to_pandas()
    assert [list(seats.loc[seats["game"] == index, "policy"]) for index in range(100)] == [
        replay(of, index)[0][0]["policies"] for index in range(100)
    ]


# Their form.


@pytest.mark.parametrize(("game", "sets", "mode"), PLAYED)
def test_games_stand_in_their_order_each_once(kept, game, sets, mode):
    found = kept(game, sets, mode)
    plan = found.totals.layout.plan
    assert found.table("games")["game"].to_pylist() == list(range(GAMES))
    seats = found.table("seats").select(["game", "seat"]).to_pylist()
    assert seats == [{"game": index, "seat": seat} for index in range(GAMES) for seat in range(plan.seats)]
    if game == "debrium":
        rounds = found.table("rounds").select(["game", "round"]).to_pylist()
        assert plan.rounds in (2, 10, 14)
        assert rounds == [{"game": g, "round": r} for g in range(GAMES) for r in range(1, plan.rounds + 1)]
    else:
        assert sorted(path.name for path in (found.folder / "rows").iterdir()) == ["games", "seats"]


@pytest.mark.parametrize(("game", "sets", "mode"), PLAYED)
def test_parts_are_groups_of_blocks_and_alike(kept, game, sets, mode):
    found = kept(game, sets, mode)
    blocks = sorted(path.stem for path in (found.folder / "blocks").iterdir())
    for folder in (found.folder / "rows").iterdir():
        parts = sorted(folder.iterdir())
        assert [path.name for path in parts] == [f"{stem}.parquet" for stem in blocks]
        first, second = (pq.read_schema(path) for path in parts)
        assert first.equals(second, check_metadata=True)
        assert all(field.nullable for field in first)


WHOLE, FRACTION, WORD = "int32", "double", "dictionary<values=string, indices=int8, ordered=0>"


def test_types_follow_from_what_a_column_is(kept):
    """Sixtieths and chances are floats; whatever is counted whole is a whole number, a yes or no as well."""
    for game, sets, mode in (PLAYED[0], PLAYED[2], PLAYED[8]):
        found = kept(game, sets, mode)
        outcomes = load_game(game).outcomes
        words = {"policy", "company", "animal", "start_place", "final_place", "first_bid_size"}
        for name, columns in (("games", outcomes.game), ("seats", outcomes.seat), ("rounds", outcomes.round)):
            for column in columns:
                for entry in column.names() if column.name != "weight" else ():
                    expected = WORD if column.name in words else WHOLE if column.scale == 1 else FRACTION
                    part = found.folder / "rows" / name / f"{0:012d}.parquet"
                    of = pq.read_schema(part).field(entry).type
                    # Which whole number a word's is, Parquet does not keep.
                    assert str(of).replace("indices=int32", "indices=int8") == expected, (name, entry)
        assert found.table("games").schema.field("game").type == pa.int64()


@pytest.mark.parametrize(("game", "sets", "mode"), PLAYED)
def test_every_part_says_what_was_played_and_what_its_columns_mean(kept, game, sets, mode):
    found = kept(game, sets, mode)
    metrics = {metric.of: metric for metric in found.totals.layout.metrics[: found.totals.layout.means]}
    for path in (found.folder / "rows").rglob("*.parquet"):
        schema = pq.read_schema(path)
        head = json.loads((found.folder / "manifest.json").read_text())
        head.pop("sha256")
        assert json.loads(schema.metadata[b"steelyard"]) == head
        columns = json.loads(schema.metadata[b"columns"])
        assert list(columns) == schema.names
        for field in schema:
            told = {key.decode(): text.decode() for key, text in field.metadata.items()}
            told.pop("PARQUET:field_id", None)
            assert told == columns[field.name]
            assert told["meaning"]
            if metric := metrics.get(f"{field.name}_by_round" if path.parent.name == "rounds" else field.name):
                assert told == {"unit": metric.unit, "meaning": metric.meaning}


# As others read them.


def by_pandas(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder)


def by_duckdb(folder: Path) -> pd.DataFrame:
    return duckdb.sql(f"SELECT * FROM '{folder}/*.parquet' ORDER BY ALL").df()


def by_polars(folder: Path) -> pd.DataFrame:
    return pl.read_parquet(folder / "*.parquet").to_pandas()


@pytest.mark.parametrize("reader", [by_pandas, by_duckdb, by_polars])
@pytest.mark.parametrize(("game", "sets", "mode"), [PLAYED[0], PLAYED[2], PLAYED[8]])
def test_others_read_the_same_numbers_and_words(kept, game, sets, mode, reader):
    found = kept(game, sets, mode)
    for folder in (found.folder / "rows").iterdir():
        table = pq.read_table(folder)
        frame = reader(folder)
        assert list(frame.columns) == table.column_names
        for name in table.column_names:
            read = [None if pd.isna(value) else value for value in frame[name].tolist()]
            assert read == table[name].to_pylist(), (folder.name, name)


def test_duckdb_finds_what_columns_mean(kept):
    """Without Arrow: as JSON in the file's own metadata."""
    found = kept(*PLAYED[0])
    query = "SELECT decode(value) FROM parquet_kv_metadata('{}') WHERE decode(key) = '{}'"
    part = found.folder / "rows" / "seats" / f"{0:012d}.parquet"
    ((columns,),) = duckdb.sql(query.format(part, "columns")).fetchall()
    assert json.loads(columns)["win"] == {"unit": "share of games", "meaning": "share of the win"}
    ((played,),) = duckdb.sql(query.format(part, "steelyard")).fetchall()
    assert json.loads(played)["rules"]["players"] == 3
