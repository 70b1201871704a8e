import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corners, latitudeOf, nearestLongitude, worldPoint, wrapLongitude } from '../../Sources/CWebPage/site/mercator.js';

test('a box that crosses 180° is shown in one part', () => {
  assert.deepEqual(corners([170, -20, -170, 10]), [[-20, 170], [10, 190]]);
  assert.deepEqual(corners([-10, -20, 10, 20]), [[-20, -10], [20, 10]]);
});

test('a longitude is moved to the copy of the world next to another one', () => {
  assert.equal(nearestLongitude(-179, 179), 181);
  assert.equal(nearestLongitude(179, -181), -181);
  assert.equal(nearestLongitude(10, 20), 10);
});

test('the world is a square', () => {
  assert.deepEqual(worldPoint([0, 0]), [0.5, 0.5]);
  assert.ok(Math.abs(worldPoint([-180, 85.0511])[1]) < 1e-6);
  assert.equal(worldPoint([0, 90])[1], worldPoint([0, 85.0511])[1]);
});

test('a latitude is found again from its place in the square', () => {
  for (let latitude = -85; latitude <= 85; latitude += 5) {
    assert.ok(Math.abs(latitudeOf(worldPoint([0, latitude])[1]) - latitude) < 1e-9, String(latitude));
  }
});

test('longitudes of any copy of the world are from -180 on and below 180', () => {
  assert.deepEqual([0, 179.5, 180, -180, 190, -190, 725].map(wrapLongitude), [0, 179.5, -180, -180, -170, 170, 5]);
});
