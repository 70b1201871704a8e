import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  comparisons, dateText, daysText, neighbour, periods, plusDays, plusYears, today, utcDay, utcTime, weekdayOf,
} from '../../Sources/CWebPage/site/days.js';

test('days are added across months, years and leap days', () => {
  assert.equal(plusDays('2024-02-28', 1), '2024-02-29');
  assert.equal(plusDays('2023-02-28', 1), '2023-03-01');
  assert.equal(plusDays('2024-01-01', -1), '2023-12-31');
  // Also across a change of summer time.
  assert.equal(plusDays('2024-03-30', 2), '2024-04-01');
});

test('29 February becomes the 28th in other years', () => {
  assert.equal(plusYears('2024-02-29', 1), '2025-02-28');
  assert.equal(plusYears('2024-02-29', 4), '2028-02-29');
  assert.equal(plusYears('2023-02-28', 1), '2024-02-28');
});

test('the neighbour of a year, a month and some days has the same kind of length', () => {
  assert.deepEqual(neighbour('2024-01-01', '2024-12-31', -1), ['2023-01-01', '2023-12-31']);
  assert.deepEqual(neighbour('2024-03-01', '2024-03-31', -1), ['2024-02-01', '2024-02-29']);
  assert.deepEqual(neighbour('2024-02-01', '2024-02-29', 1), ['2024-03-01', '2024-03-31']);
  assert.deepEqual(neighbour('2024-03-05', '2024-03-06', 1), ['2024-03-07', '2024-03-08']);
  assert.deepEqual(neighbour('2024-03-05', '2024-03-05', -1), ['2024-03-04', '2024-03-04']);
});

test('going to a neighbour and back leads to the same period', () => {
  for (let start = '2023-12-25'; start < '2024-03-05'; start = plusDays(start, 1)) {
    for (const length of [0, 1, 6, 13, 40]) {
      const period = [start, plusDays(start, length)];
      const [from, to] = neighbour(...period, 1);
      // A period that happens to be a whole month moves by months.
      if (from.endsWith('-01') && plusDays(to, 1).endsWith('-01')) continue;
      assert.deepEqual(neighbour(from, to, -1), period);
    }
  }
});

test('comparisons need the ends that they move', () => {
  assert.equal(comparisons.year('', ''), '');
  assert.equal(comparisons.year('2024-02-29', '2024-03-01'), '2023-02-28/2023-03-01');
  assert.equal(comparisons.before('', '2024-03-01'), '');
  assert.equal(comparisons.before('2024-03-01', '2024-03-31'), '2024-02-01/2024-02-29');
});

test('periods with a button end today or with the year', () => {
  assert.deepEqual(periods.all(), ['', '']);
  assert.equal(periods.year()[1], today().slice(0, 4) + '-12-31');
  assert.equal(plusDays(periods.thirty()[0], 29), today());
});

test('weekdays begin with Monday', () => {
  assert.deepEqual(['2024-04-29', '2024-05-05', '2024-02-29', '0999-01-01'].map(weekdayOf), [0, 6, 3, 1]);
  for (let day = 0; day < 800; day++) assert.equal(weekdayOf(plusDays('2023-01-02', day)), day % 7);
});

test('a day and the instant at which it begins lead to each other', () => {
  for (let day = '2023-12-25'; day < '2024-03-05'; day = plusDays(day, 1)) {
    assert.equal(utcDay(utcTime(day)), day);
    assert.equal(utcDay(utcTime(day) - 1), plusDays(day, -1));
  }
});

test('a window of days in words names the ends that it has', () => {
  assert.equal(daysText('', ''), 'all time');
  assert.match(daysText('2024-05-09', ''), /^since .*2024$/);
  assert.match(daysText('', '2024-05-09'), /^until .*2024$/);
  assert.match(daysText('2023-05-09', '2024-05-09'), /2023 – .*2024$/);
});

test('a day is written in the locale, without a shift by the time zone', () => {
  assert.match(dateText('2024-05-09'), /2024/);
  assert.match(dateText('2024-05-09T23:59:00+14:00'), /9/);
});
