import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, legStart, levelChanges, levelLines, momentAt, walkSeconds } from '../../Sources/CWebPage/site/walk.js';
import {
  categoryStop, hasRoom, pointOf, pointText, stopCategory, stopsBetween, textOfStop, wayRequest,
} from '../../Sources/CWebPage/site/stops.js';

/// Along a corridor, up the stairs, along another one, and out.
const legs = [
  { level: 'g', how: 'walk', seconds: 10, line: [[0, 0], [0.0001, 0], [0.0001, 0.0001]] },
  { level: 'g', endLevel: 'one', how: 'stairs', seconds: 20, line: [[0.0001, 0.0001]] },
  { level: 'one', how: 'walk', seconds: 10, line: [[0.0001, 0.0001], [0, 0.0001]] },
  { level: null, how: 'outdoors', seconds: 5, line: [[0, 0.0001], [0, 0.0002]] },
];
const near = (one, other) => one.every((value, index) => Math.abs(value - other[index]) < 1e-9);

test('the walker is on the line at each second, and goes evenly', () => {
  assert.equal(walkSeconds(legs), 45);
  for (const [seconds, leg, place] of [
    [-1, 0, [0, 0]], [0, 0, [0, 0]], [2.5, 0, [0.00005, 0]], [5, 0, [0.0001, 0]], [7.5, 0, [0.0001, 0.00005]],
    [10, 1, [0.0001, 0.0001]], [30, 2, [0.0001, 0.0001]], [35, 2, [0.00005, 0.0001]], [40, 3, [0, 0.0001]],
    [45, 3, [0, 0.0002]], [99, 3, [0, 0.0002]],
  ]) {
    const moment = momentAt(legs, seconds);
    assert.equal(moment.leg, leg, `leg at ${seconds}`);
    assert.ok(near(moment.place, place), `place at ${seconds}: ${moment.place}`);
  }
});

test('the level changes halfway up the stairs', () => {
  assert.deepEqual([0, 19, 21, 30, 44].map((seconds) => momentAt(legs, seconds).level), ['g', 'g', 'one', 'one', null]);
});

test('a leg begins when those before it are over', () => {
  assert.deepEqual(legs.map((leg, index) => legStart(legs, index)), [0, 10, 30, 40]);
  for (const index of legs.keys()) assert.equal(momentAt(legs, legStart(legs, index)).leg, index);
});

test('a way that needs no time has its only place', () => {
  const still = [{ level: 'g', how: 'walk', seconds: 0, line: [[1, 2]] }];
  assert.deepEqual(momentAt(still, 0), { leg: 0, place: [1, 2], level: 'g' });
  assert.deepEqual(levelLines(still), []);
  assert.deepEqual(boxOf(still), [1, 2, 1, 2]);
});

test('the lines of a way are joined on each level, and outdoors', () => {
  assert.deepEqual(levelLines(legs).map(({ level, line }) => [level, line.length]), [['g', 4], ['one', 3], [null, 2]]);
  assert.deepEqual(levelChanges(legs), [{ place: [0.0001, 0.0001], level: 'g', to: 'one' }]);
  assert.deepEqual(boxOf(legs), [0, 0, 0.0001, 0.0002]);
});

test('a way can end in a lift, on its other level', () => {
  const ride = [{ level: 'g', endLevel: 'two', how: 'lift', seconds: 55, line: [[0, 0], [0, 0]] }];
  assert.deepEqual([10, 40, 55].map((seconds) => momentAt(ride, seconds).level), ['g', 'two', 'two']);
  assert.deepEqual(levelChanges(ride), [{ place: [0, 0], level: 'g', to: 'two' }]);
});

test('a ramp out of the house ends on no level', () => {
  assert.equal(momentAt([{ level: 'g', endLevel: null, how: 'walk', seconds: 8, line: [[0, 0], [0, 1]] }], 6).level, null);
});

const place = '0123456789abcdef0123456789abcdef';

test('points are written and read', () => {
  const point = { lon: -2.9783022, lat: 56.46, level: '-1' };
  assert.equal(pointText(point), '-2.9783022,56.4600000,-1');
  assert.deepEqual(pointOf(pointText(point)), point);
  assert.deepEqual(pointOf('11,48'), { lon: 11, lat: 48 });
  for (const text of ['', place, '11', '11,48,0,1', '181,0', '0,91', 'a,b', '1e3,2', 'category:stairs']) assert.equal(pointOf(text), null, text);
});

test('a request for a way names its stops', () => {
  const way = { venue: place, origin: place, destination: categoryStop('restroom'), via: `11,48,2;${place}`, profile: 'nolift' };
  assert.deepEqual(wayRequest(way), {
    venue: place, from: { place }, via: [{ lon: 11, lat: 48, level: '2' }, { place }], to: { category: 'restroom' }, profile: 'nolift',
  });
  assert.deepEqual(wayRequest({ venue: '', origin: '11,48', destination: place, via: '', profile: '' }), {
    from: { lon: 11, lat: 48 }, to: { place },
  });
});

test('stops of the server’s lists are those of the URL', () => {
  for (const [stop, text] of [
    [{ place }, place], [{ category: 'stairs' }, 'category:stairs'], [{ lon: 11, lat: 48, level: '0' }, '11.0000000,48.0000000,0'],
    [{ lon: 11, lat: 48, level: null }, '11.0000000,48.0000000'], [place, place],
  ]) assert.equal(textOfStop(stop), text);
  assert.equal(stopCategory('category:restroom.male'), 'restroom.male');
  assert.equal(stopCategory(place), '');
  assert.deepEqual(stopsBetween(`${place};11,48`), [place, '11,48']);
  assert.ok(hasRoom(Array(5)) && !hasRoom(Array(6)));
});
