"""Writes generated buildings as IMDF archives, for measuring: `venues.write(folder, count)` returns their paths.

The first one has the size of a real office building (7 levels, 150 rooms) and, as its ground floor, a hall with some 320 columns,
so that the ways through it have 1,300 corners. The others have 4 levels and 48 rooms each.
"""

import json
import math
import uuid
import zipfile

LATITUDE, LONGITUDE = 48.0, 11.0
METRE = 1 / 111_320
ROOM = (5.0, 6.0)
CORRIDOR = 3.0


class Building:
    def __init__(self, number, levels, rooms, hall):
        # A grid of ten buildings a row, 300 m apart.
        self.number = number
        self.west, self.south = number % 10 * 300.0, number // 10 * 300.0
        self.levels, self.per_side, self.hall = levels, math.ceil(rooms / levels / 2), hall
        self.width = max(self.per_side * ROOM[0] + 12, 220 if hall else 0)
        self.depth = max(2 * ROOM[1] + CORRIDOR, 200 if hall else 0)
        self.features = {}

    def id(self, *words):
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.number} {words}"))

    def place(self, x, y):
        return [LONGITUDE + (self.west + x) * METRE / math.cos(math.radians(LATITUDE)),
                LATITUDE + (self.south + y) * METRE]

    def box(self, west, south, east, north):
        return [[self.place(*corner)
                 for corner in ((west, south), (east, south), (east, north), (west, north), (west, south))]]

    def add(self, kind, identifier, geometry, **properties):
        self.features.setdefault(kind, []).append({
            "type": "Feature", "feature_type": kind, "id": identifier, "geometry": geometry,
            "properties": properties})

    def polygon(self, *rings):
        return {"type": "Polygon", "coordinates": [ring for boxes in rings for ring in boxes]}

    def unit(self, level, name, category, rings):
        self.add("unit", self.id("unit", level, name), self.polygon(*rings), category=category,
                 name={"en": name} if category != "column" else None, level_id=self.id("level", level), restriction=None,
                 accessibility=None, alt_name=None, display_point=None)

    def door(self, level, name, start, end):
        self.add("opening", self.id("door", level, name),
                 {"type": "LineString", "coordinates": [self.place(*start), self.place(*end)]},
                 category="pedestrian", level_id=self.id("level", level), door=None, name=None, alt_name=None,
                 accessibility=None, access_control=None, display_point=None)

    def floor(self, level):
        """Rooms along both sides of a corridor, stairs at its western and a lift at its eastern end."""
        middle = self.depth / 2
        low, high = middle - CORRIDOR / 2, middle + CORRIDOR / 2
        east = 6 + self.per_side * ROOM[0]
        self.unit(level, f"Corridor {level}", "walkway", [self.box(6, low, east, high)])
        for name, category, west in (("Stairs", "stairs", 0), ("Lift", "elevator", east)):
            self.unit(level, f"{name} {level}", category, [self.box(west, low - ROOM[1], west + 6, high + ROOM[1])])
            edge = 6 if west == 0 else east
            self.door(level, name, (edge, low + 0.5), (edge, high - 0.5))
        for index in range(self.per_side):
            west = 6 + index * ROOM[0]
            for side, (south, north, edge) in enumerate(((low - ROOM[1], low, low), (high, high + ROOM[1], high))):
                name = f"{level}.{side}{index:02}"
                category = "restroom" if index == 0 and side == 0 else "office"
                self.unit(level, name, category, [self.box(west, south, west + ROOM[0], north)])
                self.door(level, name, (west + 2, edge), (west + 3, edge))

    def open_hall(self, level):
        """One room with columns, through which the stairs and the lift of the other floors come down."""
        middle = self.depth / 2
        # As on the other floors, where the units have to cover the level.
        low, high = middle - CORRIDOR / 2 - ROOM[1], middle + CORRIDOR / 2 + ROOM[1]
        east = 6 + self.per_side * ROOM[0]
        self.unit(level, "Stairs 0", "stairs", [self.box(0, low, 6, high)])
        self.door(level, "Stairs", (6, middle - 1), (6, middle + 1))
        lift = self.box(east, low, east + 6, high)
        self.unit(level, "Lift 0", "elevator", [lift])
        self.door(level, "Lift", (east, middle - 1), (east, middle + 1))
        holes = [lift]
        for column in range(25):
            for row in range(13):
                west, south = 8 + column * 8.3, 4 + row * 15.1
                if low - 1 < south + 0.4 < high + 1 and (west < 7 or east - 1 < west + 0.4 < east + 7):
                    continue
                hole = self.box(west, south, west + 0.8, south + 0.8)
                holes.append(hole)
                self.unit(level, f"Column {column}-{row}", "column", [hole])
        outer = [[self.place(*corner) for corner in (
            (0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth), (0, high), (6, high), (6, low), (0, low),
            (0, 0))]]
        self.unit(level, "Hall", "lobby", [outer] + holes)

    def write(self, path):
        whole = self.polygon(self.box(0, 0, self.width, self.depth))
        self.add("address", self.id("address"), None, address=f"{self.number} Bench Street", locality="Testing",
                 country="DE", province=None, unit=None, postal_code=None)
        self.add("venue", self.id("venue"), whole, category="businesscampus", name={"en": f"Venue {self.number:03}"},
                 address_id=self.id("address"), restriction=None, alt_name=None, hours=None, phone=None, website=None,
                 display_point=None)
        self.add("building", self.id("building"), None, name={"en": "House"}, category="unspecified",
                 address_id=self.id("address"), restriction=None, alt_name=None, display_point=None)
        self.add("footprint", self.id("footprint"), whole, category="ground", name=None,
                 building_ids=[self.id("building")])
        for level in range(self.levels):
            is_hall = self.hall and level == 0
            middle, half = self.depth / 2, CORRIDOR / 2 + ROOM[1]
            outline = whole if is_hall else self.polygon(
                self.box(0, middle - half, 12 + self.per_side * ROOM[0], middle + half))
            self.add("level", self.id("level", level), outline, category="unspecified", ordinal=level, outdoor=False,
                     name={"en": f"Level {level}"}, short_name={"en": str(level)}, restriction=None, address_id=None,
                     display_point=None, building_ids=[self.id("building")])
            if is_hall:
                self.open_hall(level)
            else:
                self.floor(level)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", json.dumps(
                {"version": "1.0.0", "created": "2026-01-01T00:00:00Z", "language": "en"}))
            for kind, features in self.features.items():
                archive.writestr(f"{kind}.geojson", json.dumps(
                    {"type": "FeatureCollection", "name": kind, "features": features}))


def write(folder, count):
    paths = []
    for number in range(count):
        path = folder / f"venue{number:03}.zip"
        building = Building(number, 7, 150, True) if number == 0 else Building(number, 4, 48, False)
        building.write(path)
        paths.append(path)
    return paths
