// A house made up for tests, as OpenStreetMap would have it: floors with a corridor, rooms to both sides, stairs and a lift;
// and the steps of tests in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, curve, gpx, library, serve, write } from './server.mjs';

/// The address of the house on the map.
export const HOUSE = '#map=20/48.00009/11.00027';
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

/// A library with the house, and a track beside it.
export async function houseLibrary(floors) {
  const track = gpx({ name: 'Walk', start: '2024-05-01T10:00:00Z', places: curve([11.001, 48.0002], 100) });
  const path = await library({ 'walk.gpx': track });
  await command('venues', 'import', '--library', path, ...write({ 'house.geojson': house(floors) }));
  return path;
}

/// The id of the house, and those of its places by name; rooms have the names of the plan.
export async function idsOf(url) {
  const { venues: [{ id, levels }] } = await (await fetch(url + 'v1/venues')).json();
  const { places } = await (await fetch(`${url}v1/venues/${id}/places`)).json();
  return { venue: id, levels, places: Object.fromEntries(places.map(({ name, id: place }) => [name, place])) };
}

/// A test with a server of the house, and a page of it that must end without a fault.
export function houseTest(shared, name, body, form = {}) {
  test(name, { timeout: 90_000 }, async () => {
    const { url, stop } = await serve(await houseLibrary());
    const page = await shared.browser.page(form);
    try {
      await body(page, url, await idsOf(url));
      page.assertClean();
    } finally {
      await page.close();
      await stop();
    }
  });
}

/// A part of the address.
export const part = (page, name) => page.evaluate((wanted) => new URLSearchParams(location.hash.slice(1)).get(wanted) ?? '', name);
/// The short name of the floor that is shown.
export const pressed = (page) => page.text('#floors [aria-pressed="true"]');

/// Waits until the floor with a short name is shown, its tiles too.
export async function untilFloor(page, shortName, ordinal) {
  await page.untilText('#floors [aria-pressed="true"]', new RegExp(`^${shortName}$`));
  await page.until('the floor has its tiles', (wanted) => {
    const images = [...document.querySelectorAll('.leaflet-floors-pane img')];
    return images.length > 0 && images.every(({ src, complete }) => complete && src.includes(wanted));
  }, `ordinal=${ordinal}`);
}

/// The pixels of the floor tiles on the map that are not transparent.
export const floorPixels = (page) => page.evaluate(() => [...document.querySelectorAll('.leaflet-floors-pane img')].reduce((sum, image) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return sum + data.filter((value, index) => index % 4 === 3 && value > 0).length;
}, 0));

/// Clicks a place of the house, in metres from its corner.
export async function clickHouse(page, x, y) {
  const point = await page.until('the map shows the place', ([longitude, latitude]) => {
    const [zoom, middleLatitude, middleLongitude] = new URLSearchParams(location.hash.slice(1)).get('map').split('/').map(Number);
    const { left, top, width, height } = document.querySelector('#map').getBoundingClientRect();
    const scale = 256 * 2 ** zoom, world = (lon, lat) => [
      (lon + 180) / 360 * scale, (1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2 * scale,
    ];
    const [at, middle] = [world(longitude, latitude), world(middleLongitude, middleLatitude)];
    return [left + width / 2 + at[0] - middle[0], top + height / 2 + at[1] - middle[1]];
  }, inHouse(x, y));
  await page.clickAt(...point);
}

/// Presses the Tab key until an element that matches has the focus.
export async function tabTo(page, selector, shift = false) {
  const tried = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.key('Tab', { shift });
    const [isThere, what] = await page.evaluate((wanted) => {
      const { activeElement: found } = document;
      return [found.matches(wanted), found.id || found.textContent.trim().slice(0, 20) || found.tagName];
    }, selector);
    if (isThere) return;
    tried.push(what);
  }
  assert.fail(`the Tab key does not lead to ${selector}, only to ${tried.join(', ')}`);
}
