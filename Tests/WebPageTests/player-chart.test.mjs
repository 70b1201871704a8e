import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityColors } from '../../Sources/CWebPage/site/trail-colors.js';
import { dateLabels, makeProfile, nextTrack } from '../../Sources/CWebPage/site/player-chart-data.js';
import { makePlayingTime } from '../../Sources/CWebPage/site/playing-time.js';

const HOUR = 3_600_000, DAY = 24 * HOUR;

/// Two tracks of an hour on two days, the second one with a gap of an hour.
const manifest = {
  tracks: [
    { track: 'a', start: 0, end: HOUR, gaps: [] },
    { track: 'b', start: DAY, end: DAY + 3 * HOUR, gaps: [[DAY + HOUR, DAY + 2 * HOUR]] },
  ],
  density: { from: 0, to: DAY + 3 * HOUR, points: [1] },
};
const playingTime = makePlayingTime(manifest, false);
const point = (time, elevation, speed = NaN) => ({ time, elevation, speed });

test('a profile lies where its points are played, without the time between tracks', () => {
  const profile = makeProfile(playingTime);
  assert.ok(profile.values('elevation', 6).every(Number.isNaN));
  profile.add(0, [point(0, 100, 2), point(HOUR / 2, 100, 2), point(HOUR - 1, 100, 4)]);
  assert.deepEqual(profile.values('elevation', 3), [100, NaN, NaN]);
  profile.add(1, [point(DAY, 200), point(DAY + HOUR, 200), point(DAY + 2 * HOUR + 1, 300), point(DAY + 3 * HOUR, 300)]);
  const values = profile.values('elevation', 3);
  assert.equal(values[0], 100);
  // The value before a gap does not continue behind it.
  assert.equal(values[1], 200);
  assert.equal(values[2], 300);
  assert.ok(Number.isNaN(profile.values('speed', 3)[1]));
  assert.equal(profile.at('elevation', 1.5 * HOUR), 200);
  assert.equal(profile.at('speed', 0), 2);
  assert.ok(Number.isNaN(profile.at('speed', 2.5 * HOUR)));
});

test('the order in which profiles are added does not matter, and points outside are left out', () => {
  const tracks = [[0, [point(0, 1), point(HOUR, 5)]], [1, [point(-DAY, 9999), point(DAY, 7), point(DAY + HOUR, 9), point(9 * DAY, 9999)]]];
  const [one, other] = [makeProfile(playingTime), makeProfile(playingTime)];
  for (const [index, points] of tracks) one.add(index, points);
  for (const [index, points] of tracks.reverse()) other.add(index, points);
  assert.deepEqual(one.values('elevation', 50), other.values('elevation', 50));
  assert.ok(one.values('elevation', 50).every((value) => !(value > 9)));
});

test('the nearest tracks are loaded first, those ahead before those behind', () => {
  const loaded = new Set(), order = [];
  for (let index; (index = nextTrack(3, 10, 2, (other) => !loaded.has(other))) >= 0;) {
    loaded.add(index);
    order.push(index);
  }
  assert.deepEqual(order, [3, 4, 2, 5, 1]);
  assert.equal(nextTrack(0, 0, 5, () => true), -1);
});

test('labels are days, or hours if all is on one day, and none comes twice', () => {
  const dayOf = (instant) => Math.floor(instant / DAY), write = (instant, hasHours) => hasHours ? `${Math.floor(instant / HOUR)} h` : `day ${dayOf(instant)}`;
  assert.deepEqual(dateLabels(playingTime, 600, dayOf, write).map(({ text }) => text), ['day 0', 'day 1']);
  const single = makePlayingTime({ tracks: [manifest.tracks[0]], density: { from: 0, to: HOUR, points: [1] } }, false);
  assert.deepEqual(dateLabels(single, 600, dayOf, write), [{ share: 0, text: '0 h' }]);
  assert.deepEqual(dateLabels(makePlayingTime({ tracks: [], density: { from: 0, to: 0, points: [] } }, false), 600, dayOf, write), []);
});

test('the most frequent activities have colours, and the last colour is for the others', () => {
  const activities = new Map([['a', 'ride'], ['b', 'walk'], ['c', 'walk'], ['d', 'ski'], ['z', 'sail']]);
  assert.deepEqual([...activityColors(['a', 'b', 'c', 'd', 'e'], activities, 3)], [['walk', 0], ['ride', 1]]);
  assert.deepEqual([...activityColors(['e'], activities, 3)], []);
});
