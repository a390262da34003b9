#!/usr/bin/env python3
"""Writes normals.txt: the first normals of some streams, to the last bit.

The numbers that a seed stands for are part of every figure's provenance, so they may never change. This
is a second implementation of the generator in plain Python (Philox 4x32-10 after Salmon et al., SC 2011;
Box-Muller with the same series in the same order of operations); the C code must give the same bits.
"""

import math
import os
import struct

MASK = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def log_uniform(word):
    x = bits(float(2 * word + 1))
    k = (x - 0x3FE6A09E667F3BCD) >> 52
    m = struct.unpack("<d", struct.pack("<Q", x - (k << 52)))[0]
    s = (m - 1) / (m + 1)
    q = s * s
    tail = 1.0 / 21
    for odd in range(19, 1, -2):
        tail = tail * q + 1.0 / odd
    s = 2 * s
    high, low = float.fromhex("0x1.62e42fefa0000p-1"), float.fromhex("0x1.cf79abc9e3b3ap-40")
    exponent = float(k - 33)
    return exponent * high + (s + (s * (q * tail) + exponent * low))


def turn(word):
    quarter = ((word + 0x20000000) & MASK) >> 30
    rest = (word - (quarter << 30)) & MASK
    rest -= (rest >> 31) << 32
    x = float(rest) * float.fromhex("0x1.921fb54442d18p-30")
    q = x * x
    c = 1.0 / 20922789888000
    for sign, divisor in ((-1, 87178291200), (1, 479001600), (-1, 3628800), (1, 40320), (-1, 720), (1, 24)):
        c = c * q + sign * (1.0 / divisor)
    c = 1 - (q * 0.5 - q * q * c)
    s = -1.0 / 1307674368000
    for sign, divisor in ((1, 6227020800), (-1, 39916800), (1, 362880), (-1, 5040), (1, 120), (-1, 6)):
        s = s * q + sign * (1.0 / divisor)
    s = x + x * (q * s)
    return [(c, s), (-s, c), (-c, -s), (s, -c)][quarter]


def block_of_normals(seed, purpose, trial, block):
    key = (seed & MASK, seed >> 32)
    words = philox((block & MASK, block >> 32, trial, purpose), key)
    normals = []
    for pair in (0, 2):
        radius = math.sqrt(-2 * log_uniform(words[pair]))
        c, s = turn(words[pair + 1])
        normals += [radius * c, radius * s]
    return normals


def main():
    assert philox((0, 0, 0, 0), (0, 0)) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    here = os.path.dirname(os.path.abspath(__file__))
    streams = [(seed, purpose, trial, block)
               for seed in (0, 1, 0x123456789ABCDEF0)
               for purpose in range(1, 7)
               for trial in (0, 7)
               for block in (0, 1, 0x100000000)]
    with open(os.path.join(here, "normals.txt"), "w", encoding="ascii") as out:
        out.write("# seed purpose trial first normal normal normal normal\n")
        for seed, purpose, trial, block in streams:
            normals = block_of_normals(seed, purpose, trial, block)
            out.write(f"{seed} {purpose} {trial} {4 * block} " + " ".join(z.hex() for z in normals) + "\n")


if __name__ == "__main__":
    main()
