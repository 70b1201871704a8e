"""Reads the points of the sample and finds those of a tile; shared by the programs in this folder."""

import numpy as np
import pandas as pd

# Cells along the side of a tile, and bits of a world coordinate.
SIDE = 256
BITS = 32


def read(path, engine, columns=("longitude", "latitude")):
    """The named columns of a CSV file."""
    return pd.read_csv(path, usecols=list(columns), engine=engine)


def world(longitudes, latitudes):
    """Web mercator coordinates as fractions of the world's width, y southwards."""
    x = longitudes / 360 + 0.5
    sine = np.sin(np.radians(latitudes))
    y = 0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)
    return x, y


def morton(x, y):
    """64-bit Morton codes: sorted by them, the points of a tile are contiguous."""
    side = 2.0 ** BITS
    return spread((x * side).astype(np.uint64)) | spread((y * side).astype(np.uint64)) << np.uint64(1)


def spread(bits):
    for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F),
                        (2, 0x3333333333333333), (1, 0x5555555555555555)):
        bits = (bits | bits << np.uint64(shift)) & np.uint64(mask)
    return bits


def tile_range(numbers, z, x, y):
    """First and last index of a tile's points in sorted Morton codes."""
    shift = 2 * (BITS - z)
    prefix = int(spread(np.array([x], np.uint64))[0] | spread(np.array([y], np.uint64))[0] << np.uint64(1))
    first = np.uint64(prefix << shift)
    last = np.uint64((prefix + 1 << shift) - 1)
    return np.searchsorted(numbers, first), np.searchsorted(numbers, last, side="right")


def unspread(numbers):
    for shift, mask in ((1, 0x3333333333333333), (2, 0x0F0F0F0F0F0F0F0F), (4, 0x00FF00FF00FF00FF),
                        (8, 0x0000FFFF0000FFFF), (16, 0x00000000FFFFFFFF)):
        numbers = (numbers | numbers >> np.uint64(shift)) & np.uint64(mask)
    return numbers


def occupied(numbers, z):
    """The tiles of a zoom level with points, as arrays x, y and number of points."""
    if z == 0:
        return np.zeros(1, np.uint64), np.zeros(1, np.uint64), np.array([len(numbers)])
    prefixes = numbers >> np.uint64(2 * (BITS - z))
    starts = np.flatnonzero(np.concatenate(([True], prefixes[1:] != prefixes[:-1])))
    counts = np.diff(np.append(starts, len(numbers)))
    found = prefixes[starts]
    even = np.uint64(0x5555555555555555)
    return unspread(found & even), unspread(found >> np.uint64(1) & even), counts


def read_tiles(path):
    """The tiles of a list, one `z x y` per line."""
    with open(path) as lines:
        return [tuple(map(int, line.split())) for line in lines if line.strip()]
