import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlayingTime } from '../../Sources/CWebPage/site/playing-time.js';

const minute = 60_000;
/// Two tracks that overlap; the first one has a gap of an hour.
const manifest = {
  density: { from: 0, to: 200 * minute, points: [10, 0, 30, 10] },
  tracks: [
    { track: 'a', start: 0, end: 100 * minute, gaps: [[20 * minute, 80 * minute]] },
    { track: 'b', start: 90 * minute, end: 200 * minute, gaps: [] },
    { track: 'untimed', start: null, end: null, gaps: [] },
  ],
};

test('tracks are played one after another, without gaps', () => {
  const playingTime = makePlayingTime(manifest, false);
  assert.equal(playingTime.length, 150 * minute);
  assert.deepEqual(playingTime.at(0), { instant: 0, track: 0 });
  assert.deepEqual(playingTime.at(20 * minute), { instant: 80 * minute, track: 0 });
  assert.deepEqual(playingTime.at(40 * minute), { instant: 90 * minute, track: 1 });
  assert.deepEqual(playingTime.at(150 * minute), { instant: 200 * minute, track: 1 });
});

test('tracks that overlap share their playing time on one clock', () => {
  const playingTime = makePlayingTime(manifest, true);
  assert.equal(playingTime.length, 140 * minute);
  assert.deepEqual(playingTime.at(30 * minute), { instant: 90 * minute, track: -1 });
});

test('every position leads back to itself', () => {
  for (const isTogether of [false, true]) {
    const playingTime = makePlayingTime(manifest, isTogether);
    for (let position = 0; position < playingTime.length; position += 7 * minute) {
      const { instant, track } = playingTime.at(position);
      assert.equal(playingTime.position(instant, track < 0 ? undefined : manifest.tracks[track].track), position);
    }
  }
});

test('an instant within a gap has the position after it, one of another track the end of the track', () => {
  const playingTime = makePlayingTime(manifest, false);
  assert.equal(playingTime.position(50 * minute, 'a'), 20 * minute);
  assert.equal(playingTime.position(500 * minute, 'a'), 40 * minute);
  assert.equal(playingTime.position(0, 'missing'), 0);
});

test('a playing time without points has length 0', () => {
  const playingTime = makePlayingTime({ density: { from: 0, to: 0, points: [0] }, tracks: [manifest.tracks[2]] }, false);
  assert.equal(playingTime.length, 0);
  assert.deepEqual(playingTime.at(0), { instant: 0, track: -1 });
});

test('bars are shares of the highest one', () => {
  const bars = makePlayingTime(manifest, false).bars(10);
  assert.equal(bars.length, 10);
  assert.equal(Math.max(...bars), 1);
  assert.ok(bars.every((bar) => bar >= 0 && bar <= 1));
});
