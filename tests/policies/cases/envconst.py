"""Bids what an environment variable said when the file was imported."""

import os

_K = int(os.environ.get("AGGR", "0"))


def bid(rules, table, own, rng, choice):
    choice.coins = _K if table.seats[own.seat].coins >= _K else 0
