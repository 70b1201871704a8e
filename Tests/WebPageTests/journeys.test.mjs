import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { measureOf } from '../../Sources/CWebPage/site/journey-measure.js';
import {
  capOf, endOf, MAX_SECONDS, metresAt, milestonesOf, MIN_SECONDS, positionOf, reachOf, secondsTo, sessionAt, walkedTo,
} from '../../Sources/CWebPage/site/journey-plan.js';
import {
  aheadText, boxOf, clockText, focusText, nextReward, progressText, reachText, routeType, secondsOf, spanText, streaksOf,
} from '../../Sources/CWebPage/site/journey-text.js';
import { journeyValue } from '../../Sources/CWebPage/site/journey-start.js';
import { placePatch } from '../../Sources/CWebPage/site/route-edit.js';
import { ownPerson } from '../../Sources/CWebPage/site/journey-data.js';
import { distance } from '../../Sources/CWebPage/site/profile.js';
import { setUnits } from '../../Sources/CWebPage/site/text.js';

beforeEach(() => setUnits('metric'));

const near = (found, wanted, least = 1e-6) => assert.ok(Math.abs(found - wanted) <= least, `${found} is not ${wanted}`);
const place = (name, lon, lat, more = {}) => ({ id: name.toLowerCase(), name, lon, lat, ...more });
/// Three stages of half an hour, an hour and half an hour along the equator.
const route = {
  level: 1800, line: [[0, 0], [1, 0], [2, 0], [4, 0]],
  places: [place('A', 0, 0), place('B', 1, 0.1), place('C', 2, 0, { seconds: 3600 }), place('D', 4, 0)],
};
const milestones = milestonesOf(route), measure = measureOf(route);
const degree = distance([0, 0], [1, 0]);

test('places are beside their line, in their order', () => {
  measure.places.forEach((metres, index) => near(metres, [0, 1, 2, 4][index] * degree, 0.01));
  near(measure.length, 4 * degree, 0.01);
  // A line that goes there and back: the same place twice.
  const loop = measureOf({ line: [[0, 0], [1, 0], [0, 0]], places: [place('A', 0, 0), place('B', 0.5, 0), place('C', 1, 0), place('B', 0.5, 0)] });
  [0, 0.5, 1, 1.5].forEach((degrees, index) => near(loop.places[index], degrees * degree, 1));
});

test('a measure has the length that the server has measured', () => {
  const scaled = measureOf(route, 400_000);
  near(scaled.length, 400_000);
  near(scaled.places[1], 100_000, 0.01);
  near(scaled.placeAt(200_000)[0], 2, 1e-6);
});

test('the figure is on the line, also over 180°', () => {
  const pacific = measureOf({ line: [[179, 0], [-179, 0]], places: [place('A', 179, 0), place('B', -179, 0)] });
  near(pacific.length, 2 * degree, 0.01);
  near(Math.abs(pacific.placeAt(degree)[0]), 180, 1e-6);
  near(pacific.placeAt(1.5 * degree)[0], -179.5, 1e-6);
  const [before, after] = pacific.parts(1.5 * degree);
  assert.deepEqual([before[0][0], after.at(-1)[0]].map(Math.round), [179, 181]);
  near(before.at(-1)[0], 180.5, 1e-6);
});

test('the parts of a line meet at the figure, and are as long as the way', () => {
  for (const done of [0, 0.4, 1, 1.7, 3, 4].map((degrees) => degrees * degree)) {
    const [before, after] = measure.parts(done), length = (line) => line.reduce((sum, one, index) => index > 0 ? sum + distance(line[index - 1], one) : 0, 0);
    assert.deepEqual(before.at(-1), after[0]);
    near(length(before), done, 1);
    near(length(after), measure.length - done, 1);
  }
});

test('a line that goes beyond its places begins and ends at them', () => {
  const long = measureOf({ line: [[-5, 0], [9, 0]], places: [place('A', 0, 0), place('B', 4, 0)] });
  near(long.length, 4 * degree, 1);
  assert.deepEqual(long.parts(0)[0][0].map(Math.round), [0, 0]);
});

test('stages cost the level of the route, or what their place says', () => {
  assert.deepEqual(milestones, [0, 1800, 5400, 7200]);
});

test('metres become seconds along the stages, and seconds metres', () => {
  for (const position of [0, 900, 1800, 1801, 4000, 5400, 7199, 7200]) {
    near(positionOf(milestones, measure, metresAt(milestones, measure, position)), position, 1e-3);
  }
  near(metresAt(milestones, measure, 3600), 1.5 * degree, 1);
  assert.equal(positionOf(milestones, measure, measure.length + 5), 7200);
});

test('a session leads to the next place, or to its destination', () => {
  assert.equal(capOf(milestones, 900, null), 1800);
  assert.equal(capOf(milestones, 1800, null), 5400);
  assert.equal(capOf(milestones, 900, 3), 7200);
  assert.equal(capOf(milestones, 7200, null), 7200);
  assert.equal(endOf(milestones, 900, 60, null, false), 960);
  assert.equal(endOf(milestones, 900, 6000, null, false), 1800);
  assert.equal(endOf(milestones, 900, 6000, 2, false), 5400);
});

test('where a stage asks for one session, parts of it do not count', () => {
  assert.equal(endOf(milestones, 0, 1799, null, true), 0);
  assert.equal(endOf(milestones, 0, 1800, null, true), 1800);
  assert.equal(endOf(milestones, 0, 6000, 3, true), 5400);
});

test('what a session reaches is told', () => {
  const plan = { milestones, position: 0 }, names = ['A', 'Hualien', 'Taitung', 'D'];
  const text = (seconds, destination = null, more = {}) => reachText(reachOf({ ...plan, ...more }, seconds, destination), names, {
    isSingle: more.isSingle, seconds, isChosen: destination !== null,
  });
  assert.equal(text(1800), 'Reaches Hualien, 1 h more to Taitung.');
  assert.equal(text(3600, 2), 'Reaches Hualien, 30 min more to Taitung.');
  assert.equal(text(600), 'On the way to Hualien, 20 min more.');
  assert.equal(text(2400), 'Reaches Hualien, 1 h more to Taitung. The last 10 min do not move you. Choose a place further on to go there, too.');
  assert.equal(text(7200, 3), 'Reaches D, the end of the route.');
  assert.equal(text(7260, 3), 'Reaches D, the end of the route. The last 1 min do not move you.');
  assert.equal(text(1799, null, { isSingle: true }), 'Does not count: Hualien asks for one session of 30 min.');
  assert.equal(text(60, null, { position: 7200 }), 'This journey has reached the end of its route.');
});

test('every length of a session reaches what its end says', () => {
  for (const isSingle of [false, true]) {
    for (const position of isSingle ? milestones : [0, 100, 1800, 5399, 7000]) {
      for (const destination of [null, 1, 2, 3]) {
        for (let seconds = 1; seconds < 8000; seconds += 97) {
          const { reached, next, missing, idle } = reachOf({ milestones, position, isSingle }, seconds, destination);
          const end = endOf(milestones, position, seconds, destination, isSingle);
          assert.ok(reached < 0 || milestones[reached] > position && milestones[reached] <= end);
          assert.ok(next < 0 ? end === 7200 : milestones[next] - missing <= end && milestones[next] > end);
          assert.equal(idle, Math.floor(seconds - (end - position)));
        }
      }
    }
  }
});

test('the seconds to a destination are those of a session', () => {
  assert.equal(secondsTo({ milestones, position: 100.5 }), 1700);
  assert.equal(secondsTo({ milestones, position: 100 }, 3), 7100);
  assert.equal(secondsTo({ milestones, position: 7200 }), MIN_SECONDS);
  assert.equal(secondsTo({ milestones: [0, 10 * MAX_SECONDS], position: 0 }), MAX_SECONDS);
});

const at = (seconds) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const now = (seconds) => Date.parse(at(seconds));
const session = { start: at(0), end: at(1500), seconds: 1500, cancelUntil: at(10), state: 'running', destination: null };

test('a session counts down, and can be cancelled for ten seconds', () => {
  assert.deepEqual(sessionAt(session, now(0)), { left: 1_500_000, share: 0, isOver: false, cancelLeft: 10_000 });
  assert.deepEqual(sessionAt(session, now(-5)), { left: 1_500_000, share: 0, isOver: false, cancelLeft: 10_000 });
  assert.equal(sessionAt(session, now(9.5)).cancelLeft, 500);
  assert.equal(sessionAt(session, now(10)).cancelLeft, 0);
  assert.equal(sessionAt(session, now(750)).share, 0.5);
  assert.deepEqual(sessionAt(session, now(1500)), { left: 0, share: 1, isOver: true, cancelLeft: 0 });
  assert.equal(sessionAt({ ...session, state: 'cancelled' }, now(3)).isOver, true);
  // A session of three seconds can be cancelled to its end only.
  assert.equal(sessionAt({ ...session, end: at(3), cancelUntil: at(3) }, now(1)).cancelLeft, 2000);
});

test('the figure walks with the clock of the session, and stops at its destination', () => {
  const plan = { milestones, isSingle: false }, anchor = { time: now(0), position: 100 };
  assert.equal(walkedTo(plan, anchor, session, now(-3)), 100);
  assert.equal(walkedTo(plan, anchor, session, now(60)), 160);
  assert.equal(walkedTo(plan, anchor, session, now(1400)), 1500);
  assert.equal(walkedTo(plan, anchor, session, now(9000)), 1600);
  assert.equal(walkedTo(plan, { time: now(0), position: 1700 }, session, now(500)), 1800);
  assert.equal(walkedTo(plan, { time: now(0), position: 1700 }, { ...session, destination: 2 }, now(500)), 2200);
  assert.equal(walkedTo(plan, anchor, null, now(60)), 100);
});

test('where the figure is corrected while it walks, it walks on from there', () => {
  const plan = { milestones, isSingle: false };
  for (const begun of [0, 100, 1700, 1800, 3000]) {
    for (const corrected of [1, 30, 99, 400, 1200]) {
      const anchor = { time: now(0), position: begun }, middle = walkedTo(plan, anchor, session, now(corrected));
      const later = { time: now(corrected), position: middle };
      for (const then of [corrected, 1300, 1500, 2000]) {
        near(walkedTo(plan, later, session, now(then)), walkedTo(plan, anchor, session, now(then)), 1e-3);
      }
    }
  }
});

test('a small error of clocks and lengths does not stop the figure at a place', () => {
  const plan = { milestones, isSingle: false };
  near(walkedTo(plan, { time: now(20), position: 1819.4 }, session, now(120)), 1919.4, 1e-3);
  near(walkedTo(plan, { time: now(20), position: 1820.6 }, session, now(120)), 1920.6, 1e-3);
});

test('where a stage asks for one session, the figure walks only as far as the session goes', () => {
  const plan = { milestones, isSingle: true }, short = { ...session, destination: null };
  assert.equal(walkedTo(plan, { time: now(0), position: 0 }, short, now(700)), 0);
  const long = { ...session, seconds: 2000, end: at(2000) };
  assert.equal(walkedTo(plan, { time: now(0), position: 0 }, long, now(700)), 700);
  assert.equal(walkedTo(plan, { time: now(0), position: 0 }, long, now(1999)), 1800);
  near(walkedTo(plan, { time: now(700), position: 700.4 }, long, now(1000)), 1000.4, 1e-3);
});

test('times are told as a clock and in words', () => {
  assert.deepEqual([0, 9, 60, 1500, 3599.2, 3909, 86_400].map(clockText), ['0:00', '0:09', '1:00', '25:00', '1:00:00', '1:05:09', '24:00:00']);
  assert.deepEqual([0, 45, 90, 1800, 3600, 3909, 5400].map(spanText), ['0 s', '45 s', '1 min 30 s', '30 min', '1 h', '1 h 5 min', '1 h 30 min']);
  assert.deepEqual([59.9, 60, 3700].map(focusText), ['59 s', '1 min', '1 h 1 min']);
});

test('a time of a session is one second to a day', () => {
  assert.equal(secondsOf('1', '30', '5'), 5405);
  assert.equal(secondsOf('', '25', ''), 1500);
  assert.equal(secondsOf('24', '0', '0'), 86_400);
  for (const wrong of [['0', '0', '0'], ['24', '0', '1'], ['1.5', '0', '0'], ['-1', '0', '0'], ['x', '0', '0']]) {
    assert.ok(Number.isNaN(secondsOf(...wrong)), String(wrong));
  }
});

test('how far a journey is, and whether it is ahead, is told', () => {
  assert.equal(progressText({ unlocked: [1, 2], done: 120_500, metres: 480_000 }, 9), '2 of 9 places, 120.5 km of 480.0 km');
  assert.equal(aheadText(null), '');
  assert.equal(aheadText(0.2), 'As planned');
  assert.equal(aheadText(1500), '1.5 km ahead of the plan');
  assert.equal(aheadText(-1500), '1.5 km behind the plan');
});

test('the next reward is the least that is not reached', () => {
  const rewards = [{ hours: 10 }, { hours: 1 }, { hours: 20 }];
  assert.deepEqual(nextReward(rewards, 1800), { reward: { hours: 1 }, share: 0.5, seconds: 1800 });
  assert.equal(nextReward(rewards, 3600).reward.hours, 10);
  assert.equal(nextReward(rewards, 72_000), null);
});

test('the box of a line goes on beyond 180°', () => {
  assert.deepEqual(boxOf([[10, 5], [12, 4], [11, 7]]), [10, 4, 12, 7]);
  assert.deepEqual(boxOf([[179, 0], [-179, 2]]), [179, 0, 181, 2]);
  assert.deepEqual(boxOf([[-179, 0], [179, 2]]), [-181, 0, -179, 2]);
});

test('route files are known by their names', () => {
  assert.deepEqual(['Way.GPX', 'a.b.geojson', 'x.json', 'x.kml', 'gpx'].map(routeType),
    ['application/gpx+xml', 'application/geo+json', 'application/json', undefined, undefined]);
});

test('a journey has what its form says', () => {
  const form = { route: 'r', by: 'focus', where: 'activity = walk', factors: [], since: '2026-01-01', until: '', persons: [] };
  assert.deepEqual(JSON.parse(JSON.stringify(journeyValue(form))), { route: 'r', by: 'focus' });
  const metres = journeyValue({ ...form, by: 'metres', factors: [{ where: 'activity = swim', factor: 4 }, { where: '', factor: 2 }], until: '2026-02-01', persons: ['ann', 'owner'] });
  assert.deepEqual(metres.factors, [{ where: 'activity = swim', factor: 4 }]);
  assert.equal(metres.where, 'activity = walk');
  assert.deepEqual([metres.since, metres.until], ['2026-01-01', '2026-02-01']);
  assert.deepEqual(metres.persons, ['ann', 'owner']);
});

test('a patch of a place has what was changed', () => {
  const old = { name: 'A', description: 'Old', tags: ['x'], seconds: 600 };
  const form = { name: 'A', description: 'Old', tags: 'x', credit: '', seconds: '10' };
  assert.equal(placePatch(old, form), null);
  assert.deepEqual(placePatch(old, { ...form, name: ' B ', description: '', tags: 'x, y,x', credit: 'CC0', seconds: '' }),
    { name: 'B', description: null, tags: ['x', 'y'], credit: 'CC0', seconds: null });
});

test('the owner is told all persons, others themselves', () => {
  assert.equal(ownPerson([{ name: 'ann' }, { name: 'owner' }]).name, 'owner');
  assert.equal(ownPerson([{ name: 'ann' }]).name, 'ann');
  assert.equal(ownPerson([]), undefined);
});

test('days in a row are counted up to today or yesterday', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-30', '2026-01-31', '2026-02-01'];
  assert.deepEqual(streaksOf(days, '2026-02-01'), { longest: 3, current: 3 });
  assert.deepEqual(streaksOf(days.slice(0, 5), '2026-02-01'), { longest: 3, current: 2 });
  assert.deepEqual(streaksOf(days, '2026-02-03'), { longest: 3, current: 0 });
  assert.deepEqual(streaksOf([], '2026-02-03'), { longest: 0, current: 0 });
});
