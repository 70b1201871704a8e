import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corners, nearestLongitude, worldPoint } from '../../Sources/CWebPage/site/mercator.js';

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
