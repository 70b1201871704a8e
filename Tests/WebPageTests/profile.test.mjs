import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars, limits, nearest, paths } from '../../Sources/CWebPage/site/chart.js';
import { climbs, distance, figures, pointsOf, samples } from '../../Sources/CWebPage/site/profile.js';

const START = Date.parse('2024-05-09T08:00:00Z'), DEGREE_METRES = 111_195;

/// A track as the server exports it; each segment is a list of [longitude, latitude, elevation, seconds, more].
function line(...segments) {
  const series = (read) => segments.map((points) => points.map(read));
  return {
    geometry: { type: 'MultiLineString', coordinates: series(([x, y, z]) => z === undefined ? [x, y] : [x, y, z]) },
    properties: { coordinateProperties: {
      times: series(([, , , at]) => at === undefined ? null : new Date(START + at * 1000).toISOString()),
      hr: series(([, , , , more]) => more?.hr ?? null), speed: series(([, , , , more]) => more?.speed ?? null),
    } },
  };
}

test('distances are right, across 180° too', () => {
  assert.ok(Math.abs(distance([0, 0], [1, 0]) - DEGREE_METRES) < 10);
  assert.ok(Math.abs(distance([179.5, 0], [-179.5, 0]) - DEGREE_METRES) < 10);
  assert.equal(distance([7, 46], [7, 46]), 0);
});

test('moving time and average speed leave out rests and gaps', () => {
  // 100 s at about 11 m/s, a rest of 50 s, a gap of an hour, and 100 s at about 11 m/s.
  const points = pointsOf(line([[0, 0, 0, 0], [0.01, 0, 0, 100], [0.01, 0, 0, 150]], [[0.5, 0, 0, 3750], [0.51, 0, 0, 3850]]));
  const found = figures(points);
  assert.equal(found.seconds, 3850);
  assert.equal(found.movingSeconds, 200);
  assert.ok(Math.abs(found.metres - 0.02 * DEGREE_METRES) < 2);
  assert.ok(Math.abs(found.averageSpeed - 11.12) < 0.01);
  assert.ok(Math.abs(found.maximumSpeed - 11.12) < 0.01);
});

test('recorded speeds are used, and sensors without contact are left out', () => {
  const found = figures(pointsOf(line([[0, 0, 1, 0, { speed: 3, hr: 120 }], [0.001, 0, 1, 10, { speed: 9, hr: 0 }], [0.002, 0, 1, 20, { speed: 4, hr: 140 }]])));
  assert.equal(found.maximumSpeed, 9);
  assert.deepEqual([found.averageRate, found.maximumRate], [130, 140]);
});

test('a track without times and elevations has a distance and nothing else', () => {
  const found = figures(pointsOf(line([[0, 0], [0.001, 0]])));
  assert.ok(found.metres > 100);
  for (const name of ['seconds', 'movingSeconds', 'averageSpeed', 'maximumSpeed', 'climb', 'averageRate', 'highest']) {
    assert.equal(found[name], undefined, name);
  }
  assert.deepEqual(pointsOf({ geometry: null, properties: {} }), []);
  assert.equal(figures([]).metres, 0);
});

/// Points with elevations; each list is a segment.
const heights = (...segments) => segments.flatMap((list) => list.map(
  (elevation, index) => ({ elevation, isStart: index === 0 })));

test('climbs between turns smaller than 5 m are noise, and those between larger ones count whole', () => {
  assert.deepEqual(climbs(heights([100, 104, 100, 104, 100])), { up: 0, down: 0 });
  assert.deepEqual(climbs(heights([100, 103, 106, 120, 118, 110])), { up: 20, down: 10 });
  assert.deepEqual(climbs(heights([0, 10, 6, 15, 10, 12])), { up: 15, down: 5 });
  assert.deepEqual(climbs(heights([0, NaN, 10])), { up: 10, down: 0 });
  assert.deepEqual(climbs(heights([0, 10], [NaN, 110, 120])), { up: 20, down: 0 });
  assert.equal(climbs(heights([5])), undefined);
  assert.equal(climbs([]), undefined);
});

test('the same way back has the climb as its descent', () => {
  const there = Array.from({ length: 500 }, (_, index) => Math.round(Math.sin(index / 20) * 80 + Math.sin(index) * 8));
  const [one, other] = [climbs(heights(there)), climbs(heights([...there, ...[...there].reverse()]))];
  assert.ok(Math.abs(other.up - one.up - one.down) <= 10, JSON.stringify([one, other]));
});

test('long tracks are thinned, and keep their ends and their order', () => {
  const points = pointsOf(line(Array.from({ length: 20_000 }, (_, index) => [index / 1e5, 0, index % 7, index])));
  const some = samples(points);
  assert.ok(some.length <= 600 && some.length > 500, String(some.length));
  assert.ok(some.every(({ metres }, index) => index === 0 || metres > some[index - 1].metres));
  assert.ok(some.every(({ elevation }) => Math.abs(elevation - 3) < 0.5));
  assert.equal(samples(points.slice(0, 600)).length, 600);
  const still = pointsOf(line(Array.from({ length: 2000 }, (_, index) => [7, 46, 1, index])));
  assert.ok(samples(still).length <= 600);
});

test('the nearest of ascending numbers is found', () => {
  const xs = [0, 0.2, 0.2, 0.7, 1];
  for (let x = -0.1; x < 1.2; x += 0.01) {
    const least = Math.min(...xs.map((other) => Math.abs(other - x)));
    assert.ok(Math.abs(Math.abs(xs[nearest(xs, x)] - x) - least) < 1e-12, String(x));
  }
});

test('limits are at least a span apart, and a line is interrupted where nothing is known', () => {
  assert.deepEqual(limits([3, NaN, 5], 4), [2, 6]);
  assert.deepEqual(limits([1, 9], 4), [1, 9]);
  assert.equal(limits([NaN]), null);
  assert.deepEqual(paths([0, 0.5, 1], [0, NaN, 1], 10, 10), { line: 'M0.0 10.0h1M10.0 0.0h1', area: 'M0.0 10L0.0 10.0L0.0 10ZM10.0 10L10.0 0.0L10.0 10Z' });
  assert.equal(paths([0, 1], [0, 1], 10, 10).line, 'M0.0 10.0L10.0 0.0');
});

test('bars fill the height, and small values can be seen', () => {
  assert.deepEqual(bars([0, 1, 4, 2]), [[0, 1, 0.25, 0], [0.25, 0.75, 0.25, 0.25], [0.5, 0, 0.25, 1], [0.75, 0.5, 0.25, 0.5]]);
  assert.equal(bars([1, 1000])[0][3], 0.02);
  assert.deepEqual(bars([0]), [[0, 1, 1, 0]]);
  assert.deepEqual(bars([]), []);
});
