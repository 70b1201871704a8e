import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../Sources/CWebPage/site/places-text.js';

const track = (bbox, name, points = 100) => ({ bbox, points, places: name ? { from: name, to: name } : null });

test('tracks that are near each other are at one place, and the place with the most tracks is the first one', () => {
  const places = placesOf([
    track([139.7, 35.6, 139.8, 35.7], 'Tokyo'), track([13.3, 52.4, 13.4, 52.5], 'Berlin'), track([13.6, 52.5, 13.7, 52.6], 'Berlin'),
  ]);
  assert.deepEqual(places, [
    { name: 'Berlin', count: 2, box: [13.3, 52.4, 13.7, 52.6] }, { name: 'Tokyo', count: 1, box: [139.7, 35.6, 139.8, 35.7] },
  ]);
});

test('a track between two places joins them', () => {
  const ends = [track([10, 50, 10.1, 50.1], 'A'), track([11, 50, 11.1, 50.1], 'B')];
  assert.equal(placesOf(ends).length, 2);
  assert.equal(placesOf([...ends, track([10.1, 50, 11, 50.1], 'A')]).length, 1);
});

test('a flight joins nothing, and has no place of its own', () => {
  const ends = [track([13.3, 52.4, 13.4, 52.5], 'Berlin'), track([-74, 40.7, -73.9, 40.8], 'New York')];
  assert.deepEqual(placesOf([...ends, track([-74, 40.7, 13.4, 52.5], 'Berlin')]).map(({ count }) => count), [1, 1]);
});

test('both sides of 180° are one place', () => {
  assert.deepEqual(placesOf([track([179.8, -17, 179.9, -16.9], 'Taveuni'), track([-179.9, -17, -179.8, -16.9], 'Rabi')]).map(({ box }) => box),
    [[179.8, -17, -179.8, -16.9]]);
});

test('without the name of a town, a place is called by its position', () => {
  assert.equal(placesOf([track([10, 50, 11, 51])])[0].name, '50.5, 10.5');
});
