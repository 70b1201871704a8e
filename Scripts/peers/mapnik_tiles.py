"""mapnik drawing heat tiles from a prepared raster (raster-Z.tif of prepare.py), as png8:m=h:z=1.

    mapnik_tiles.py --rasters DIR [--save DIR]

Prints one line of JSON: milliseconds per tile (median, p95), and the set pixels and bytes of each tile. `--save` keeps the
pictures as z/x/y.png. Runs under Debian's own Python.
"""

import argparse
import json
import math
import pathlib
import time

import mapnik

SIDE = 256
FORMAT = "png8:m=h:z=1"
# The counts of the ramp's stops; mapnik interpolates between them.
STOPS = [(0, "transparent"), (1, "#401040"), (4, "#a02050"), (16, "#ff8000"), (64, "#ffc040"), (256, "#ffffff")]


def canvas(path, grids):
    """A map of the column of grids in a file: one unit per cell, north up."""
    style = mapnik.Style()
    rule = mapnik.Rule()
    symbolizer = mapnik.RasterSymbolizer()
    colorizer = mapnik.RasterColorizer(mapnik.COLORIZER_LINEAR, mapnik.Color("transparent"))
    for value, color in STOPS:
        colorizer.add_stop(value, mapnik.COLORIZER_DISCRETE if value == 0 else mapnik.COLORIZER_LINEAR, mapnik.Color(color))
    symbolizer.colorizer = colorizer
    rule.symbols.append(symbolizer)
    style.rules.append(rule)
    layer = mapnik.Layer("heat")
    layer.datasource = mapnik.Raster(
        file=str(path), lox=0, loy=0, hix=SIDE, hiy=SIDE * grids, format="tiff")
    layer.styles.append("heat")
    sheet = mapnik.Map(SIDE, SIDE)
    sheet.append_style("heat", style)
    sheet.layers.append(layer)
    return sheet


def draw(sheet, row, grids):
    """The picture of one grid of the column."""
    top = SIDE * (grids - row)
    sheet.zoom_to_box(mapnik.Box2d(0, top - SIDE, SIDE, top))
    image = mapnik.Image(SIDE, SIDE)
    mapnik.render(sheet, image)
    return image, image.tostring(FORMAT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rasters", type=pathlib.Path, required=True)
    parser.add_argument("--save", type=pathlib.Path)
    given = parser.parse_args()
    levels = {}
    for line in (given.rasters / "tiles.txt").read_text().splitlines():
        z, x, y = map(int, line.split())
        levels.setdefault(z, []).append((x, y))

    milliseconds = []
    sizes = []
    for z, tiles in sorted(levels.items()):
        sheet = canvas(given.rasters / f"raster-{z}.tif", len(tiles))
        draw(sheet, 0, len(tiles))
        for row, (x, y) in enumerate(tiles):
            begun = time.perf_counter()
            image, picture = draw(sheet, row, len(tiles))
            milliseconds.append((time.perf_counter() - begun) * 1000)
            pixels = SIDE * SIDE - image.tostring()[3::4].count(0)
            sizes.append([pixels, len(picture)])
            if given.save:
                file = given.save / str(z) / str(x) / f"{y}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(picture)
    milliseconds.sort()
    print(json.dumps({
        "median_ms": round(milliseconds[len(milliseconds) // 2], 3),
        "p95_ms": round(milliseconds[math.ceil(0.95 * len(milliseconds)) - 1], 3),
        "sizes": sizes,
    }))


if __name__ == "__main__":
    main()
