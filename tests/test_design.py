"""The cells of a sweep: the base among them, line-ups, samples of ranges, and designs that are refused."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter

import pytest

from sim.design import Cell, read_line_ups
from sim.errors import BadInput
from sim.rules import load
from sim.rules_text import LARGEST_FILE, LONGEST_LINE
from tests.cells import BASE, column, complaint, design
from tests.support import ROOT

# Line-ups.


def test_every_line_up_plays_every_combination():
    of = design("players=3,4", line_ups=["mixed", "greedy"])
    assert of.keys == ("line_up", "players")
    assert [tuple(cell.settings.values()) for cell in of.cells] == list(
        itertools.product(("mixed", "greedy"), (3, 4))
    )
    assert [cell.line_up for cell in of.cells] == ["mixed", "mixed", "greedy", "greedy"]
    assert of.base == 1
    alone = design(line_ups=["a,b,c,d", "greedy", "mixed"])
    assert [dict(cell.settings) for cell in alone.cells] == [
        {"line_up": text} for text in ("a,b,c,d", "greedy", "mixed")
    ]
    assert alone.base == 0


# The base.


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (("mining_king_bonus=5,15,25",), 1),
        (("mining_king_bonus=5,15", "tie=order,shared"), 3),
        (("miner.greed=0.25:1:0.25",), 1),
        (("miner.greed+=0,0.5", "players=3,4"), 1),
        (("chips_level_1,chips_level_2,chips_level_3=8,12,12/12,12,8",), 1),
    ],
)
def test_the_base_is_found_among_the_cells(texts, place):
    of = design(*texts)
    assert of.base == place
    assert of.cells[place].rules == BASE
    assert len({str(cell.settings) for cell in of.cells}) == len(of.cells)


def test_a_line_up_that_is_not_the_first_is_no_base():
    of = design("mining_king_bonus=15,20", line_ups=["greedy", "mixed"])
    assert [cell.settings["mining_king_bonus"] for cell in of.cells] == [15, 20, 15, 20]
    assert of.base == 0


def test_the_base_comes_first_with_its_own_values_when_it_is_no_cell():
    base = load("debrium", sets=["mining_king_bonus=20", "starting_coins=5"], name="Mine")
    of = design(
        "mining_king_bonus=5,10", "miner.greed=0,1", "debt_penalty=0,1", base=base, line_ups=["greedy", "mixed"]
    )
    assert of.base == 0
    assert len(of.cells) == 9
    assert of.cells[0] == Cell(
        {"line_up": "greedy", "mining_king_bonus": 20, "miner.greed": 0.5, "debt_penalty": [1, 3, 6, 12, 15]},
        base, {("miner", "greed"): 0.5}, "greedy",
    )  # fmt: skip
    assert of.cells[1].rules.name == "Mine, debt_penalty=0,1, mining_king_bonus=5"
    assert of.cells[1].rules.values["starting_coins"] == 5


def test_cells_that_play_the_same_are_kept_once():
    base = load("debrium", sets=["chips_level_1=0", "chips_level_2=24"])
    of = design("values_level_1+=1:5:1", base=base)  # there is no chip of level 1
    assert [dict(cell.settings) for cell in of.cells] == [{"values_level_1": []}]
    assert of.base == 0


# Samples.


@pytest.mark.parametrize("kind", ["latin:40", "sobol:40", "sobol:64", "latin:1", "sobol:1"])
def test_a_sample_spreads_over_the_ranges_and_is_the_same_again(kind):
    texts = "mining_king_bonus=-10:10", "miner.reach=0.5:2.5", "debt_penalty+=0:3"
    of = design(*texts, kind=kind)
    number = int(kind.partition(":")[2])
    assert of == design(*texts, kind=kind)
    assert of.base == 0
    assert len(of.cells) == number + 1
    assert (
        column(of, "mining_king_bonus") != column(design(*texts, kind=kind, seed=2), "mining_king_bonus")
        or number == 1
    )
    assert all(type(bonus) is int and -10 <= bonus <= 10 for bonus in column(of, "mining_king_bonus"))
    assert all(0.5 <= reach <= 2.5 for reach in column(of, "miner.reach"))
    if number == 40:
        halves = Counter(reach < 1.5 for reach in column(of, "miner.reach"))
        assert abs(halves[True] - halves[False]) <= 4
        assert len({tuple(debts) for debts in column(of, "debt_penalty")}) == 4


def test_whole_numbers_are_sampled_uniformly_both_ends_included():
    """A Latin hypercube of 5 x 21 points has each of 21 numbers 5 times."""
    for text in ("mining_king_bonus=0:20", "mining_king_bonus+=-15:5", "mining_king_bonus=0:40:2"):
        of = design(text, "miner.reach=0:1", kind="latin:105")
        counts = Counter(column(of, "mining_king_bonus"))
        assert set(counts.values()) == {5}
        assert len(counts) == 21


def test_points_that_rounding_makes_equal_are_kept_once():
    of = design("players=3:4", "starting_pool=0:1", kind="sobol:32")
    assert sorted(tuple(cell.settings.values()) for cell in of.cells) == [(3, 0), (3, 1), (4, 0), (4, 1)]
    assert of.cells[of.base].rules == BASE


def test_a_sample_has_the_digits_that_its_range_asks_for():
    for low, high in ((0.0, 1.0), (1000.0, 1000.001), (0.0, 1e6)):
        for reach in column(design(f"miner.reach={low:.12g}:{high:.12g}", kind="latin:50"), "miner.reach"):
            assert low <= reach <= high
            assert len(f"{(reach - low) / (high - low):.9f}".rstrip("0")) <= 9


def test_a_sobol_sequence_grows_by_its_number():
    """The first of its points stay, so that a sweep's folder can be extended."""
    texts = "mining_king_bonus=-10:10", "miner.reach=0.5:2.5"
    few, many = (design(*texts, kind=f"sobol:{number}").cells for number in (5, 40))
    assert many[: len(few)] == few


def test_every_line_up_plays_the_same_sample():
    of = design("mining_king_bonus=0:9", kind="latin:5", line_ups=["mixed", "greedy"])
    bonuses = column(of, "mining_king_bonus")
    assert bonuses[:5] == bonuses[5:]


# What is refused.


def test_too_many_cells_are_refused_before_any_is_made():
    line = complaint("starting_coins=0:199:1", "mining_king_bonus=0:199:1")
    assert line == (
        "--vary starting_coins=0:199:1 --vary mining_king_bonus=0:199:1: 200 x 200 = 40000 cells; "
        "a sweep plays at most 10000"
    )
    line_ups = [str(number) for number in range(51)]
    assert "51 x 200 = 10200 cells" in complaint("starting_coins=0:199:1", line_ups=line_ups)
    assert "51 x 200 = 10200 cells" in complaint("starting_coins=0:199", kind="latin:200", line_ups=line_ups)


def test_a_design_that_varies_nothing_is_refused():
    assert complaint() == "sweep: nothing is varied; give --vary key=a,b,c, or --lineups with several line-ups"
    assert complaint(kind="latin:9", line_ups=["a", "b"]).startswith(
        "--design latin:9: samples ranges, and there is none"
    )


@pytest.mark.parametrize(
    "kind", ["", "grd", "grid:5", "latin", "latin:", "latin:0", "latin:-5", "sobol:10001", "sobol:1e3", "sobol:٣"]
)
def test_an_unknown_design_is_refused(kind):
    said = "must be grid, latin:N or sobol:N with N from 1 to 10000"
    assert complaint("rows=1:6", kind=kind) == f"--design {kind or repr(kind)}: {said}"


@pytest.mark.parametrize("text", ["mining_king_bonus=1,2", "tie=order", "debt_penalty=1|2", "rows,columns=3,3"])
def test_only_ranges_are_sampled(text):
    assert "--design latin:4 samples ranges; write it as lo:hi" in complaint(
        "starting_coins=0:9", text, kind="latin:4"
    )


@pytest.mark.parametrize("text", ["miner.greed=0.5:0.5", "rows=3:3", "miner.reach=0.1:0.10000000000000000001"])
def test_a_range_to_sample_has_room(text):
    assert "a range goes up from its low end" in complaint(text, kind="latin:4")


def test_an_end_of_a_range_to_sample_is_checked():
    assert "miner.greed must be a number from 0 to 1, not 2" in complaint("miner.greed=0:2", kind="sobol:4")
    assert "rows must be a whole number from 1 to 6, not 7" in complaint("rows=1:9", kind="sobol:4")


# Files of line-ups.


def test_a_file_has_a_line_up_a_line(tmp_path):
    file = tmp_path / "line_ups.txt"
    file.write_text(
        "\ufeff# Who plays whom.\r\n\r\nmixed\n  greedy , a/b#c.py:x=1,x  # two of each\n\t#\nprospector", "utf-8"
    )
    assert read_line_ups(file) == ["mixed", "greedy,a/b#c.py:x=1,x", "prospector"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no line-up in it; write one a line, as --policies takes them"),
        (b"\n # none\n", "no line-up in it; write one a line, as --policies takes them"),
        (b"a,b\n\nc\na, b\n", "line 4 repeats line 1; list each line-up once"),
        (b"a\nb\xff\n", "a line-up file must be UTF-8 text, and line 2 is not"),
        (b"a\nb\x00c\n", "line 2 is no line-up; write the policies as --policies takes them"),
        (b"a\n" + b"b" * (LONGEST_LINE + 1), f"line 2 is longer than {LONGEST_LINE} characters"),
        (b"a\n" * LARGEST_FILE, "too large for a line-up file (at most 1 MB)"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_in_one_line_that_names_it(tmp_path, monkeypatch, content, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "who.txt").write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read_line_ups("who.txt")
    assert str(caught.value) == f"who.txt: {said}"


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path, said in (
        (tmp_path, "is a folder; a line-up file is needed"),
        (tmp_path / "no", "cannot read the line-up file"),
    ):
        with pytest.raises(BadInput, match=said) as caught:
            read_line_ups(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_import_is_light():
    code = "import sys, sim.design; print(*sorted({'numba', 'pandas', 'numpy', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
