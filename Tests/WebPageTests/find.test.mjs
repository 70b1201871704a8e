import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxAround, positionOf, whereText } from '../../Sources/CWebPage/site/find-text.js';

test('positions are read as other maps write them', () => {
  for (const [text, lon, lat] of [
    ['47.37, 8.54', 8.54, 47.37], ['47.37 8.54', 8.54, 47.37], [' -33.9;151.2 ', 151.2, -33.9], ['−33.9, 151', 151, -33.9],
    ['47.37N 8.54E', 8.54, 47.37], ['47.37° N, 122.3° W', -122.3, 47.37], ['8.54 e 47.37 s', 8.54, -47.37], ['0,0', 0, 0],
  ]) assert.deepEqual(positionOf(text), { lon, lat }, text);
});

test('other texts are no positions', () => {
  for (const text of ['', 'Zürich', '47.37', '91, 0', '0, 181', '47 N 8 N', '47 N 8', '1,2,3', '8 E 47 E', 'Paris 8']) {
    assert.equal(positionOf(text), null, text);
  }
});

const width = ([west, , east]) => (east - west + 360) % 360;

test('a box has the place in its middle, and is larger for more inhabitants', () => {
  const boxes = [undefined, 1_000, 400_000, 9_000_000].map((population) => boxAround({ lon: 8.5, lat: 47.4, population }));
  for (const [west, south, east, north] of boxes) {
    assert.ok(Math.abs((west + east) / 2 - 8.5) < 1e-9 && Math.abs((south + north) / 2 - 47.4) < 1e-9);
  }
  assert.ok(width(boxes[1]) < width(boxes[2]) && width(boxes[2]) < width(boxes[3]));
});

test('boxes near 180° and at the poles stay on the map', () => {
  const [west, , east] = boxAround({ lon: 179.99, lat: -16.8, population: 10_000 });
  assert.ok(west > 179 && east < -179);
  for (const lat of [90, -90]) {
    const box = boxAround({ lon: 0, lat, population: 1 });
    assert.ok(box.every(Number.isFinite) && Math.abs(box[1]) < 86 && Math.abs(box[3]) < 86);
  }
});

test('a region of the same name as the place is not repeated', () => {
  const name = (code) => ({ CH: 'Switzerland' })[code];
  assert.equal(whereText({ name: 'Bern', region: 'Bern', country: 'CH' }, name), 'Switzerland');
  assert.equal(whereText({ name: 'Thun', region: 'Bern', country: 'CH' }, name), 'Bern, Switzerland');
  assert.equal(whereText({ name: 'Thun', country: 'CH' }, name), 'Switzerland');
});
