"""Chooses the tiles that all programs draw, and makes the raster that mapnik draws from. Not measured.

    prepare.py --csv FILE --output DIR

Writes DIR/tiles.txt (400 tiles over zoom 0-16, a third of them the densest), DIR/prerender.txt (a sample of the occupied
tiles of zoom 0-14) and DIR/raster-Z.tif (a column of 256 x 256 grids, in the order of tiles.txt: the number of
tracks whose lines pass through a cell). Prints one line of JSON.
"""

import argparse
import json
import pathlib

import numpy as np
from PIL import Image

import points

TILES = 400
DEEPEST = 16
PRERENDER_DEEPEST = 14
PRERENDER_SAMPLE = 400
# The TIFF tag.
ROWS_PER_STRIP = 278


def choose(numbers, random):
    """About equally many tiles per zoom level, if there are enough: a third are the densest, the others random."""
    chosen = []
    for z in range(DEEPEST + 1):
        xs, ys, counts = points.occupied(numbers, z)
        quota = min(len(xs), -(-(TILES - len(chosen)) // (DEEPEST + 1 - z)))
        order = np.argsort(-counts, kind="stable")
        dense = order[: -(-quota // 3)]
        rest = random.permutation(order[len(dense):])[: quota - len(dense)]
        chosen += [(z, int(xs[i]), int(ys[i])) for i in np.concatenate((dense, rest))]
    return chosen


def sample(numbers, random):
    every = []
    for z in range(PRERENDER_DEEPEST + 1):
        xs, ys, _ = points.occupied(numbers, z)
        every += [(z, int(x), int(y)) for x, y in zip(xs, ys)]
    picked = random.permutation(len(every))[:PRERENDER_SAMPLE]
    return len(every), [every[i] for i in sorted(picked)]


def grid(tile, x, y, track, members):
    """The number of tracks through each cell of a tile; members are the points inside."""
    z, column, row = tile
    scale = 2.0 ** z * points.SIDE
    # Steps into and out of the tile belong to it too.
    wanted = np.zeros(len(x) - 1, bool)
    wanted[members[members < len(wanted)]] = True
    wanted[members[members > 0] - 1] = True
    wanted &= track[1:] == track[:-1]
    starts = np.flatnonzero(wanted)
    across = x[starts] * scale - column * points.SIDE
    down = y[starts] * scale - row * points.SIDE
    step_across = (x[starts + 1] - x[starts]) * scale
    step_down = (y[starts + 1] - y[starts]) * scale
    parts = np.ceil(np.maximum(abs(step_across), abs(step_down)) * 2).astype(np.int64) + 1
    index = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(index)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[index]
    cells_across = np.floor(across[index] + step_across[index] * share).astype(np.int64)
    cells_down = np.floor(down[index] + step_down[index] * share).astype(np.int64)
    inside = (cells_across >= 0) & (cells_across < points.SIDE) & (cells_down >= 0) & (cells_down < points.SIDE)
    cells = cells_down[inside] * points.SIDE + cells_across[inside]
    visits = track[starts][index][inside].astype(np.int64) << 16 | cells
    # Most steps stay in their cell.
    visits = visits[np.flatnonzero(np.diff(visits, prepend=-1))]
    visits = np.unique(visits) & 0xFFFF
    return np.bincount(visits, minlength=points.SIDE * points.SIDE).astype(np.float32).reshape(points.SIDE, points.SIDE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    given = parser.parse_args()
    table = points.read(given.csv, "pyarrow", ("longitude", "latitude", "track"))
    x, y = points.world(table.longitude.values, table.latitude.values)
    track = table.track.values
    numbers = points.morton(x, y)
    order = np.argsort(numbers)
    numbers = numbers[order]

    random = np.random.default_rng(1)
    tiles = choose(numbers, random)
    occupied, prerender = sample(numbers, random)
    for name, found in (("tiles.txt", tiles), ("prerender.txt", prerender)):
        (given.output / name).write_text("".join(f"{z} {x} {y}\n" for z, x, y in found))

    for z in range(DEEPEST + 1):
        grids = []
        for tile in (tile for tile in tiles if tile[0] == z):
            first, last = points.tile_range(numbers, *tile)
            grids.append(grid(tile, x, y, track, order[first:last]))
        # One row per strip: mapnik reads only the rows of its tile, 15 times as fast as with the default strips.
        Image.fromarray(np.vstack(grids)).save(given.output / f"raster-{z}.tif", tiffinfo={ROWS_PER_STRIP: 1})
    print(json.dumps({"tiles": len(tiles), "occupied_0_14": occupied, "points": len(x)}))


if __name__ == "__main__":
    main()
