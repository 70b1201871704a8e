"""mapserver drawing tracks as lines from a shapefile with a spatial index: one shape per track, in web mercator, so that
nothing is projected while drawing; 1.5 pixels wide, antialiased by AGG, as PNG of level 1.

    mapserver_lines.py --csv FILE --tiles LIST --work DIR --python PYTHON [--save DIR]

Writes DIR/tracks.shp and its index unless they exist (not measured; the CSV file is read by PYTHON, which has numpy and
pandas), and prints one line of JSON: milliseconds per tile (median, p95). Runs under Debian's own Python, which has mapscript.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

SIDE = 256
# Half the width of the world in web mercator, in metres.
REACH = 20037508.342789244
WARM_UP = 3

MAP = """
MAP
  SIZE {side} {side}
  EXTENT -1 -1 1 1
  UNITS METERS
  IMAGECOLOR 255 255 255
  OUTPUTFORMAT
    NAME "png"
    DRIVER "AGG/PNG"
    MIMETYPE "image/png"
    IMAGEMODE RGBA
    TRANSPARENT ON
    FORMATOPTION "COMPRESSION=1"
  END
  LAYER
    NAME "tracks"
    TYPE LINE
    STATUS ON
    DATA "{shapes}"
    CLASS
      STYLE
        COLOR 200 40 60
        WIDTH 1.5
        LINECAP ROUND
        LINEJOIN ROUND
      END
    END
  END
END
"""


def write_shapes(csv, base):
    """A shapefile of the tracks with at least two points (ESRI Shapefile Technical Description, 1998)."""
    import numpy as np

    import points

    table = points.read(csv, "pyarrow", ("longitude", "latitude", "track"))
    x, y = points.world(table.longitude.values, table.latitude.values)
    places = np.stack(((x * 2 - 1) * REACH, (1 - y * 2) * REACH), axis=1)
    track = table.track.values
    starts = np.flatnonzero(np.concatenate(([True], track[1:] != track[:-1])))
    ends = np.append(starts[1:], len(track))
    kept = [(first, last) for first, last in zip(starts, ends) if last - first >= 2]
    box = np.concatenate((places.min(axis=0), places.max(axis=0)))
    offset = 50
    index = []
    with open(base.with_suffix(".shp"), "wb") as shp:
        shp.write(bytes(100))
        for number, (first, last) in enumerate(kept, 1):
            line = places[first:last]
            words = (44 + 4 + 16 * len(line)) // 2
            shp.write(np.array([number, words], ">i4").tobytes())
            shp.write(np.array([3], "<i4").tobytes())
            shp.write(np.concatenate((line.min(axis=0), line.max(axis=0))).astype("<f8").tobytes())
            shp.write(np.array([1, len(line), 0], "<i4").tobytes())
            shp.write(line.astype("<f8").tobytes())
            index.append((offset, words))
            offset += 4 + words
        shp.seek(0)
        shp.write(header(offset, box))
    with open(base.with_suffix(".shx"), "wb") as shx:
        shx.write(header(50 + 4 * len(index), box))
        shx.write(np.array(index, ">i4").tobytes())
    with open(base.with_suffix(".dbf"), "wb") as dbf:
        # One numeric field of one digit: the format requires a field, but it is not read.
        head = np.array([0x03, 24, 1, 1], "u1").tobytes() + np.array([len(index)], "<u4").tobytes()
        head += np.array([65, 2], "<u2").tobytes() + bytes(20)
        head += b"id".ljust(11, b"\0") + b"N" + bytes(4) + bytes([1, 0]) + bytes(14) + b"\r"
        dbf.write(head + b" 1" * len(index) + b"\x1a")


def header(words, box):
    import numpy as np

    return (np.array([9994, 0, 0, 0, 0, 0, words], ">i4").tobytes() + np.array([1000, 3], "<i4").tobytes()
            + box.astype("<f8").tobytes() + bytes(32))


def draw(sheet, z, x, y):
    step = 2 * REACH / 2 ** z
    west, north = -REACH + x * step, REACH - y * step
    # mapserver's extents are between the centres of the first and the last pixel.
    half = step / SIDE / 2
    sheet.setExtent(west + half, north - step + half, west + step - half, north - half)
    return sheet.draw().getBytes()


def main():
    if sys.argv[1:2] == ["shapes"]:
        write_shapes(sys.argv[2], pathlib.Path(sys.argv[3]))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", required=True)
    parser.add_argument("--tiles", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--save", type=pathlib.Path)
    given = parser.parse_args()
    shapes = given.work / "tracks"
    index = shapes.with_suffix(".qix")
    if not index.exists() or index.stat().st_mtime < pathlib.Path(given.csv).stat().st_mtime:
        subprocess.run([given.python, __file__, "shapes", given.csv, shapes], check=True)
        subprocess.run(["shptree", shapes], check=True, stdout=subprocess.DEVNULL)

    import mapscript

    sheet = mapscript.fromstring(MAP.format(side=SIDE, shapes=shapes))
    lines = given.tiles.read_text().splitlines()
    tiles = [tuple(map(int, line.split())) for line in lines if line]
    for tile in tiles[-WARM_UP:]:
        draw(sheet, *tile)
    milliseconds = []
    for z, x, y in tiles:
        begun = time.perf_counter()
        picture = draw(sheet, z, x, y)
        milliseconds.append((time.perf_counter() - begun) * 1000)
        if given.save:
            file = given.save / str(z) / str(x) / f"{y}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
    milliseconds.sort()
    print(json.dumps({
        "median_ms": round(milliseconds[len(milliseconds) // 2], 3),
        "p95_ms": round(milliseconds[math.ceil(0.95 * len(milliseconds)) - 1], 3),
    }))


if __name__ == "__main__":
    main()
