"""The points that make-places adds for time zones: see "Time zones" in Sources/Places/PLACES.md.

The zone of a place is that of the nearest point of the same country. Where few people live, that point may be in another
state with another zone. So, in countries with several zones, points are added until the nearest point gives the zone
of the nearest place within the same state.
"""

import collections
import math

STEPS = (2, 1, 0.5, 0.25, 0.25)     # degrees between the points that are compared, coarse before fine
MISPLACED_METRES = 25_000
REACH_METRES = 50_000               # of a zone that no place has
RING = 12                           # points around such a reach
EARTH_METRES = 6_371_000


def vector(longitude, latitude):
    longitude, latitude = math.radians(longitude), math.radians(latitude)
    return (math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude))


def squared(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other))


class Tree:
    """Points in space with a zone; finds the nearest ones. The order of equal distances is that of the points."""

    LEAF = 12

    def __init__(self, points):
        self.root = self.divided(points, 0)

    def divided(self, points, axis):
        if len(points) <= self.LEAF:
            return points
        points = sorted(points, key=lambda point: point[0][axis])
        middle = len(points) // 2
        after = (axis + 1) % 3
        return (axis, points[middle][0][axis], self.divided(points[:middle], after), self.divided(points[middle:], after))

    def nearest(self, place, count=1):
        """The nearest points as (squared distance, zone), nearest first."""
        best = []

        def search(node):
            if isinstance(node, list):
                for where, zone in node:
                    best.append((squared(where, place), zone))
                best.sort()
                del best[count:]
                return
            axis, value, low, high = node
            near, far = (low, high) if place[axis] < value else (high, low)
            search(near)
            if len(best) < count or (place[axis] - value) ** 2 <= best[-1][0]:
                search(far)

        search(self.root)
        return best

    def zone(self, place):
        return self.nearest(place)[0][1]


class Region:
    """A state or province: rings of longitude and latitude."""

    def __init__(self, geometry):
        parts = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
        self.edges = []
        for ring in (ring for part in parts for ring in part):
            self.edges += [(*one[:2], *other[:2]) for one, other in zip(ring, ring[1:])]
        self.south = min(min(edge[1], edge[3]) for edge in self.edges)
        self.north = max(max(edge[1], edge[3]) for edge in self.edges)
        self.west = min(min(edge[0], edge[2]) for edge in self.edges)
        self.east = max(max(edge[0], edge[2]) for edge in self.edges)

    def crossings(self, latitude):
        """The longitudes at which a latitude enters and leaves the region."""
        found = []
        for ax, ay, bx, by in self.edges:
            if (ay > latitude) != (by > latitude):
                found.append(ax + (latitude - ay) / (by - ay) * (bx - ax))
        return sorted(found)

    def contains(self, longitude, latitude):
        if not (self.south <= latitude <= self.north and self.west <= longitude <= self.east):
            return False
        return sum(1 for crossing in self.crossings(latitude) if crossing > longitude) % 2 == 1

    def grid(self, step):
        """The points of a grid that lie in the region."""
        for row in range(math.floor(self.south / step), math.ceil(self.north / step)):
            latitude = (row + 0.5) * step
            wide = step / max(0.05, math.cos(math.radians(latitude)))
            crossings = self.crossings(latitude)
            for west, east in zip(crossings[::2], crossings[1::2]):
                for column in range(math.ceil(west / wide - 0.5), math.ceil(east / wide - 0.5)):
                    yield ((column + 0.5) * wide, latitude)


def iso6709(text):
    """The longitude and latitude of +DDMM+DDDMM or +DDMMSS+DDDMMSS."""
    cut = max(text.rfind("+"), text.rfind("-"))

    def degrees(part, whole):
        minutes, seconds = part[1 + whole:3 + whole], part[3 + whole:] or "0"
        value = int(part[1:1 + whole]) + int(minutes) / 60 + int(seconds) / 3600
        return -value if part[0] == "-" else value

    return degrees(text[cut:], 3), degrees(text[:cut], 2)


def read_zone_table(lines):
    """The cities of zone.tab as (country, longitude, latitude, zone)."""
    found = []
    for line in lines:
        if not line.startswith("#") and line.strip():
            columns = line.rstrip("\n").split("\t")
            found.append((columns[0], *iso6709(columns[1]), columns[2]))
    return found


def corrected(cities):
    """The zone of each place, without mistakes of GeoNames that can be recognised: places in the middle of a region's
    places of another zone, such as two suburbs of Auckland with the zone of the Chatham Islands."""
    zones = [city["timezone"] for city in cities]
    regions = collections.defaultdict(list)
    for number, city in enumerate(cities):
        regions[city["countrycode"], city["admin1code"]].append(number)
    reach = (2 * math.sin(MISPLACED_METRES / EARTH_METRES / 2)) ** 2
    made = list(zones)
    for numbers in regions.values():
        counts = collections.Counter(zones[number] for number in numbers)
        if len(counts) == 1 or len(numbers) < 9:
            continue
        tree = Tree([(vector(cities[number]["longitude"], cities[number]["latitude"]), zones[number]) for number in numbers])
        for number in numbers:
            if 10 * counts[zones[number]] > len(numbers):
                continue
            near = tree.nearest(vector(cities[number]["longitude"], cities[number]["latitude"]), 9)
            zone, votes = collections.Counter(zone for _, zone in near).most_common(1)[0]
            if votes >= 7 and zone != zones[number] and near[-1][0] <= reach:
                made[number] = zone
    return made


def ring(longitude, latitude, metres):
    """Points around a place, at a distance."""
    for number in range(RING):
        angle = 2 * math.pi * number / RING
        north = math.degrees(metres * math.sin(angle) / EARTH_METRES)
        east = math.degrees(metres * math.cos(angle) / EARTH_METRES) / math.cos(math.radians(latitude + north))
        yield ((longitude + east + 180) % 360 - 180, latitude + north)


def missing_zones(places, zone_cities):
    """Points for zones that no place of the country has: the city of the zone table, and around it the zone of the
    nearest place, because the table does not say how large the zone is. In a country without places, such as
    Antarctica, all cities of the table count without limit."""
    added = []
    for country, longitude, latitude, zone in zone_cities:
        known = places.get(country)
        if known is None:
            added.append((country, longitude, latitude, zone))
        elif zone not in {name for _, _, name in known}:
            tree = Tree([(vector(*place[:2]), place[2]) for place in known])
            added.append((country, longitude, latitude, zone))
            added += [(country, *around, tree.zone(vector(*around))) for around in ring(longitude, latitude, 2 * REACH_METRES)]
    return added


def zone_points(cities, zones, regions, zone_cities):
    """The points to add, as (country, longitude, latitude, zone)."""
    places = collections.defaultdict(list)
    for city, zone in zip(cities, zones):
        places[city["countrycode"]].append((city["longitude"], city["latitude"], zone))
    added = []
    listed = collections.defaultdict(list)
    for feature in regions:
        listed[feature["properties"]["iso_a2"]].append(Region(feature["geometry"]))
    for country in sorted(listed):
        known = places[country]
        if len({zone for _, _, zone in known}) < 2:
            continue
        points = [(vector(longitude, latitude), zone) for longitude, latitude, zone in known]
        inside = []
        for region in listed[country]:
            own = [point for point, place in zip(points, known) if region.contains(*place[:2])]
            if own:
                inside.append((region, Tree(own)))
        for step in STEPS:
            tree = Tree(points)
            for region, own in inside:
                for longitude, latitude in region.grid(step):
                    where = vector(longitude, latitude)
                    zone = own.zone(where)
                    if tree.zone(where) != zone:
                        added.append((country, longitude, latitude, zone))
                        points.append((where, zone))
    for country, longitude, latitude, zone in added:
        places[country].append((longitude, latitude, zone))
    return added + missing_zones(places, zone_cities)
