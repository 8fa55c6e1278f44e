"""Chance in whole numbers: independent streams that start from a hash of (seed, game, stream).

Every kind of chance in a game has a stream of its own, and so has every seat's policy. Game `k` of a
seed therefore replays alone, on any machine and with any number of threads, and a changed rule or
policy leaves the other kinds of chance as they were (common random numbers).

A seat's policy plays with its own stream, so what it can learn of that one must tell it nothing of the others:
the seats' streams start from a keyed one-way function of the game (SipHash-2-4; Aumasson, Bernstein: SipHash, a
fast short-input PRF, 2012). The mixing of the others can be turned round.

The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014);
bounded integers are Lemire's unbiased multiplication (ACM TOMACS 29, 2019).
"""

from __future__ import annotations

import numpy as np

from sim.jit import jit

#: One stream of chance: its 64-bit state.
STREAM = np.dtype([("word", "u8")])

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_UNIT = 2.0**-32

# SipHash: where its four words start ("somepseudorandomlygeneratedbytes"), by how much they turn, and its last block
# for a message of eight bytes.
_SIP_1, _SIP_2 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_SIP_3, _SIP_4 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_S13, _S16, _S17, _S21, _S64 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(64)
_EIGHT_BYTES = np.uint64(8 << 56)
_LAST = np.uint64(0xFF)


@jit
def _mix(z):
    """SplitMix64's finaliser: every bit of `z` reaches every bit of the result."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@jit
def _turned(word, bits):
    """A word, its bits turned to the left in a circle."""
    return (word << bits) | (word >> (_S64 - bits))


@jit
def _sip_round(a, b, c, d):
    """One round of SipHash over its four words."""
    a = a + b
    c = c + d
    b = _turned(b, _S13) ^ a
    d = _turned(d, _S16) ^ c
    a = _turned(a, _S32) + d
    c = c + b
    b = _turned(b, _S17) ^ c
    d = _turned(d, _S21) ^ a
    return a, b, _turned(c, _S32), d


@jit
def _one_way(key_1, key_2, word):
    """SipHash-2-4 of the eight bytes of a word, the lowest first, by a key of 128 bits."""
    a, b, c, d = key_1 ^ _SIP_1, key_2 ^ _SIP_2, key_1 ^ _SIP_3, key_2 ^ _SIP_4
    for block in (word, _EIGHT_BYTES):
        d = d ^ block
        a, b, c, d = _sip_round(a, b, c, d)
        a, b, c, d = _sip_round(a, b, c, d)
        a = a ^ block
    c = c ^ _LAST
    for _ in range(4):
        a, b, c, d = _sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


@jit
def start(streams, seed, game, seat_stream):
    """Start every stream of a game from a hash of (seed, game, its own number), one-way from `seat_stream` on."""
    base = _mix(_mix(np.uint64(seed) + _GOLDEN) ^ np.uint64(game)) + _GOLDEN
    for k in range(min(seat_stream, len(streams))):
        streams[k].word = _mix(base ^ _mix(np.uint64(k + 1) * _GOLDEN))
    for k in range(seat_stream, len(streams)):
        streams[k].word = _one_way(base, _mix(base), np.uint64(k + 1))


@jit
def _next(stream):
    """Step a stream and return its next 32 bits as a 64-bit unsigned number."""
    stream.word = stream.word + _GOLDEN
    return _mix(stream.word) >> _S32


@jit
def below(stream, n):
    """Return a whole number drawn evenly from 0 .. n-1 (n from 1 to 2^31)."""
    span = np.uint64(n)
    product = _next(stream) * span
    if (product & _LOW) < span:
        reject = ((_LOW - span) + np.uint64(1)) % span
        while (product & _LOW) < reject:
            product = _next(stream) * span
    return np.int64(product >> _S32)


@jit
def uniform(stream):
    """Return a number drawn evenly from the 2^32 multiples of 2^-32 in [0, 1)."""
    return np.float64(_next(stream)) * _UNIT


@jit
def shuffle(stream, values, count):
    """Put the first `count` of `values` in a uniformly random order."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        swapped = values[last]
        values[last] = values[other]
        values[other] = swapped
