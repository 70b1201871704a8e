// A house made up for tests, as OpenStreetMap would have it: three floors with a corridor, rooms to both sides, stairs and
// a lift.

/// The south-west corner, and degrees in a metre there.
const WEST = 11, SOUTH = 48, DEGREES = [1 / 74_625, 1 / 111_200];

const place = ([x, y]) => [WEST + x * DEGREES[0], SOUTH + y * DEGREES[1]].map((value) => Number(value.toFixed(8)));

/// The place, [longitude, latitude], of metres to the east and to the north of the corner.
export const inHouse = (x, y) => place([x, y]);

const feature = (id, properties, geometry) => ({ type: 'Feature', id, properties, geometry });

function room(id, level, [west, south, east, north], tags) {
  const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]].map(place);
  return feature(id, { level: String(level), ...tags }, { type: 'Polygon', coordinates: [ring] });
}

const door = (id, level, x, y) =>
  feature(id, { level: String(level), door: 'yes' }, { type: 'Point', coordinates: place([x, y]) });

function floor(level) {
  const rooms = [0, 1, 2, 3, 4].flatMap((index) => {
    const id = `way/${level}1${index}`, name = `C-${level}.0${index + 1}`, west = index * 8;
    return [
      room(id, level, [west, 0, west + 8, 8], { indoor: 'room', room: 'office', name }),
      // The last one has no door in the plan.
      ...index < 4 ? [door(`node/${level}1${index}`, level, west + 4, 8)] : [],
    ];
  });
  const cafe = {
    indoor: 'room', amenity: 'cafe', name: 'Café Pause', opening_hours: 'Mo-Fr 08:00-16:00', phone: '+49 30 123456',
    website: 'https://cafe.example/menu',
  };
  return [
    room(`way/${level}00`, level, [0, 8, 40, 12], { indoor: 'corridor' }), ...rooms,
    room(`way/${level}20`, level, [7, 12, 12, 20], { indoor: 'room', amenity: 'toilets', name: 'Restroom' }),
    door(`node/${level}20`, level, 9, 12),
    room(`way/${level}21`, level, [12, 12, 40, 20], level === 0 ? cafe : { indoor: 'room', name: `Hall ${level}` }),
    door(`node/${level}21`, level, 20, 12),
  ];
}

/// The house as GeoJSON, with some floors above each other.
export function house(floors = 3) {
  const numbers = [...Array(floors).keys()], levels = numbers.join(';');
  const features = [
    room('way/1', `0-${floors - 1}`, [0, 0, 40, 20], { building: 'yes', name: 'Test House', 'addr:street': 'Way', 'addr:housenumber': '1' }),
    room('way/2', levels, [0, 12, 4, 20], { indoor: 'room', stairs: 'yes' }), door('node/2', levels, 2, 12),
    room('way/3', levels, [4, 12, 7, 20], { indoor: 'room', highway: 'elevator' }), door('node/3', levels, 5.5, 12),
    ...numbers.flatMap(floor),
  ];
  return JSON.stringify({ type: 'FeatureCollection', features });
}
