import { latitudeOf, worldPoint, wrapLongitude } from './mercator.js';

// Where a scene is on the map.

/// Metres around the world at the equator, in Web Mercator.
const EQUATOR = 40_075_016.6855785;
const TILE = 256;
/// Outlines of the land are made for coarse zoom levels; a part of a tile of them is enough.
const DEEPEST_LAND = 11, DEEPEST = 22;

/// The ground is a disc so much larger than what stands on it, and at least so large.
const GROUND_FACTOR = 1.5, LEAST_RADIUS = 500;
/// Part of it that is seen when the reader has come closer: of half of the disc's radius at twice the size, and so on.
const PART_FACTOR = 1.6;

/// The part of the ground to load, { east, north, radius }: all of it, or, from a zoom of 2 on, what is around `middle`.
export function groundRegion({ count, east, north }, zoom, middle) {
  let most = 0;
  for (let index = 0; index < count; index++) most = Math.max(most, east[index] ** 2 + north[index] ** 2);
  const radius = Math.max(LEAST_RADIUS, Math.sqrt(most) * GROUND_FACTOR), power = 2 ** Math.floor(Math.log2(Math.max(1, zoom)));
  return power === 1 ? { east: 0, north: 0, radius }
    : { east: middle[0], north: middle[1], radius: radius / power * PART_FACTOR };
}

/// The tiles of the land and of the heat that lie in a square of the map, the lower layer first, with the box of each,
/// [x, y, side], in a picture of that square with `pixels` at each side. `middle` is the scene's centre in the square of the world,
/// and the square is around a place, { east, north, radius }, in metres from it.
export function groundTiles([x, y], { east, north, radius }, pixels) {
  const world = EQUATOR / (2 * radius) * pixels;
  const left = (x + (east - radius) / EQUATOR) * world, top = (y - (north + radius) / EQUATOR) * world;
  const best = Math.max(0, Math.min(DEEPEST, Math.round(Math.log2(world / TILE))));
  return [['land', Math.min(best, DEEPEST_LAND)], ['heat', best]].map(([kind, z]) => {
    const count = 2 ** z, side = world / count, tiles = [];
    for (let row = Math.max(0, Math.floor(top / side)); row < count && row * side < top + pixels; row++) {
      for (let column = Math.floor(left / side); column * side < left + pixels; column++) {
        tiles.push({
          z, x: (column % count + count) % count, y: row, box: [column * side - left, row * side - top, side],
        });
      }
    }
    return { kind, tiles };
  });
}

/// A place, [longitude, latitude], in metres to the east and to the north of a scene's centre on the map at the equator.
export function metresFrom(centre, place) {
  const [x, y] = worldPoint(place), [middle, height] = worldPoint(centre);
  return [wrapLongitude((x - middle) * 360) / 360 * EQUATOR, (height - y) * EQUATOR];
}

/// The place, [longitude, latitude], at so many metres from a scene's centre.
export function placeAt(centre, [east, north]) {
  const [x, y] = worldPoint(centre);
  return [wrapLongitude((x + east / EQUATOR) * 360 - 180), latitudeOf(y - north / EQUATOR)];
}
