import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstMovement } from '../../Sources/CWebPage/site/history.js';
import { makeSchedule } from '../../Sources/CWebPage/site/time-lapse-schedule.js';
import { dayAt, makeTimeline, shareOf, windowAfter, yearsAgo } from '../../Sources/CWebPage/site/timeline-scale.js';

const days = (...names) => names.map((day) => ({ day, metres: 1000, tracks: 1 }));
const timeline = makeTimeline(days('2020-01-01', '2020-06-01', '2023-12-31'));

test('a timeline reaches from the first day to the end of the last', () => {
  assert.equal(shareOf(timeline, '2020-01-01'), 0);
  assert.equal(shareOf(timeline, '2023-12-31', true), 1);
  assert.equal(dayAt(timeline, 0), '2020-01-01');
  assert.equal(dayAt(timeline, 1), '2023-12-31');
  assert.deepEqual(timeline.ticks.map(({ text }) => text), ['2021', '2022', '2023']);
  assert.equal(makeTimeline([]), null);
});

test('every day of a timeline is found again from its share', () => {
  for (let day = 0; day < 1461; day++) {
    const name = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    assert.equal(dayAt(timeline, shareOf(timeline, name) + 1e-6), name);
  }
});

test('a single day has a timeline around it', () => {
  const one = makeTimeline(days('2024-05-05'));
  assert.ok(shareOf(one, '2024-05-05') > 0.4 && shareOf(one, '2024-05-05', true) < 0.6);
});

test('bars are the distance of their days, and all days are in one', () => {
  const bars = timeline.bars(4);
  assert.deepEqual(bars, [1, 0, 0, 0.5]);
  assert.equal(timeline.bars(1)[0], 1);
});

test('dragging selects the days from where it began to where it is, in either direction', () => {
  const held = { kind: 'new', share: 0.75, before: ['2020-01-01', '2023-12-31'] };
  const [from, to] = windowAfter(timeline, held, 0.25);
  assert.deepEqual([from.slice(0, 7), to.slice(0, 7)], ['2020-12', '2022-12']);
  assert.deepEqual(windowAfter(timeline, { ...held, share: 0.25 }, 0.75), [from, to]);
});

test('the ends of a selection can be dragged past each other', () => {
  const before = ['2021-01-01', '2021-12-31'];
  assert.deepEqual(windowAfter(timeline, { kind: 'from', share: 0, before }, 1), ['2021-12-31', '2023-12-31']);
  assert.deepEqual(windowAfter(timeline, { kind: 'to', share: 0, before }, 0), ['2020-01-01', '2021-01-01']);
});

test('a selection that is moved keeps its length and stays in the timeline', () => {
  const before = ['2021-01-01', '2021-12-31'];
  assert.deepEqual(windowAfter(timeline, { kind: 'move', share: 0.5, before }, 0), ['2020-01-01', '2020-12-30']);
  assert.deepEqual(windowAfter(timeline, { kind: 'move', share: 0.5, before }, 1), ['2022-12-31', '2023-12-31'].map((day, end) =>
    end ? day : '2023-01-01'));
  assert.deepEqual(windowAfter(timeline, { kind: 'move', share: 0.5, before }, 0.5), before);
});

test('a time lapse shows all days in order, and years without tracks quickly', () => {
  const at = makeSchedule(days('2010-01-01', '2010-01-02', '2020-01-01'));
  const instants = Array.from({ length: 1001 }, (_, step) => at(step / 1000));
  assert.equal(instants[0], Date.UTC(2010, 0, 1));
  assert.equal(instants.at(-1), Date.UTC(2020, 0, 2));
  for (let step = 1; step < instants.length; step++) assert.ok(instants[step] >= instants[step - 1]);
  const regular = makeSchedule(days('2020-01-01', '2020-01-02', '2020-01-03'));
  assert.equal(regular(1 / 3), Date.UTC(2020, 0, 2));
});

test('the same day of the latest year with tracks is found', () => {
  const own = makeTimeline(days('2019-02-28', '2020-03-01', '2022-03-01'));
  assert.deepEqual(yearsAgo(own, '2024-03-01'), { day: '2022-03-01', years: 2 });
  assert.deepEqual(yearsAgo(own, '2022-03-01'), { day: '2020-03-01', years: 2 });
  assert.equal(yearsAgo(own, '2024-03-02'), null);
  assert.deepEqual(yearsAgo(own, '2020-02-29'), { day: '2019-02-28', years: 1 });
});

test('a replay begins shortly before the first movement, unless that is at once', () => {
  const still = Array.from({ length: 600 }, (_, second) => ({ place: [13.4 + (second % 2) * 1e-5, 52.5], time: second * 1000 }));
  const moving = Array.from({ length: 60 }, (_, second) => ({ place: [13.4 + second * 1e-4, 52.5], time: (600 + second) * 1000 }));
  const found = firstMovement([...still, ...moving]);
  assert.ok(found > 590_000 && found <= 600_000, String(found));
  assert.equal(firstMovement(moving), undefined);
  assert.equal(firstMovement(still), undefined);
  assert.equal(firstMovement([]), undefined);
});
