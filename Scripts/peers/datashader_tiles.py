"""datashader as the renderer of a tile server: reads a CSV, sorts it by Morton code, draws tiles from slices of it.

    datashader_tiles.py --csv FILE --tiles LIST --prerender LIST [--engine c|pyarrow]

Prints one line of JSON: seconds to read and to sort, milliseconds per uncached tile (median, p95), tiles per second of
the prerender list. One thread draws.
"""

import argparse
import io
import json
import os
import time

os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import datashader
import datashader.transfer_functions
import numpy as np
import pandas as pd

import points

RAMP = ["#401040", "#ff8000", "#ffffff"]


class Tiles:
    """Points with the columns that windows and tracks need, in Morton order."""

    def __init__(self, table):
        x, y = points.world(table.longitude.values, table.latitude.values)
        numbers = points.morton(x, y)
        order = np.argsort(numbers)
        self.numbers = numbers[order]
        self.table = pd.DataFrame(
            {"x": x[order], "y": y[order], "time": table.time.values[order], "track": table.track.values[order]})

    def draw(self, z, x, y, span):
        """A tile's PNG."""
        first, last = points.tile_range(self.numbers, z, x, y)
        side = 2.0 ** -z
        canvas = datashader.Canvas(
            points.SIDE, points.SIDE, x_range=(x * side, (x + 1) * side), y_range=(y * side, (y + 1) * side))
        counts = canvas.points(self.table.iloc[first:last], "x", "y")
        image = datashader.transfer_functions.shade(counts, cmap=RAMP, how="log", span=span)
        file = io.BytesIO()
        image.to_pil().save(file, "png")
        return file.getvalue()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", required=True)
    parser.add_argument("--tiles", required=True)
    parser.add_argument("--prerender", required=True)
    parser.add_argument("--engine", default="c")
    given = parser.parse_args()

    start = time.perf_counter()
    table = points.read(given.csv, given.engine, ("time", "longitude", "latitude", "track"))
    read = time.perf_counter() - start
    tiles = Tiles(table)
    load = time.perf_counter() - start

    span = (1, 10_000)
    wanted = points.read_tiles(given.tiles)
    # The first drawings include compilation.
    for tile in wanted[-3:]:
        tiles.draw(*tile, span)
    milliseconds = []
    size = 0
    for tile in wanted:
        begun = time.perf_counter()
        size += len(tiles.draw(*tile, span))
        milliseconds.append((time.perf_counter() - begun) * 1000)
    sample = points.read_tiles(given.prerender)
    begun = time.perf_counter()
    for tile in sample:
        tiles.draw(*tile, span)
    rate = len(sample) / (time.perf_counter() - begun)
    print(json.dumps({
        "read_s": round(read, 2), "load_s": round(load, 2),
        "median_ms": round(float(np.median(milliseconds)), 3), "p95_ms": round(float(np.percentile(milliseconds, 95)), 3),
        "prerender_tiles_per_s": round(rate, 1), "bytes": size,
    }))


if __name__ == "__main__":
    main()
