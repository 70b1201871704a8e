import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MAX_BARS, nextPeriod, periodText, series, shades, squareBox, weekdayName, weeksOf,
} from '../../Sources/CWebPage/site/statistics-text.js';

test('the next period is the next day, Monday, month or year', () => {
  assert.equal(nextPeriod('day', '2024-02-28'), '2024-02-29');
  assert.equal(nextPeriod('week', '2024-12-30'), '2025-01-06');
  assert.equal(nextPeriod('month', '2023-12-01'), '2024-01-01');
  assert.equal(nextPeriod('year', '0999-01-01'), '1000-01-01');
});

test('a series has the periods without tracks, too', () => {
  const rows = [{ from: '2023-11-01', metres: 5 }, { from: '2024-02-01', metres: 7 }];
  assert.deepEqual(series('month', rows, 'metres'),
    [['2023-11-01', 5], ['2023-12-01', 0], ['2024-01-01', 0], ['2024-02-01', 7]]);
  assert.deepEqual(series('month', [], 'metres'), []);
});

test('a series is cut at its beginning, however long ago the first track is', () => {
  for (const by of ['day', 'week', 'month', 'year']) {
    const last = { day: '2024-05-05', week: '2024-04-29', month: '2024-05-01', year: '2024-01-01' }[by];
    let from = last;
    const rows = [{ from, metres: 1 }];
    for (let count = 1; count < 3 * MAX_BARS; count++) {
      const date = new Date(from + 'T00:00:00Z');
      if (by === 'day' || by === 'week') date.setUTCDate(date.getUTCDate() - (by === 'day' ? 1 : 7));
      else if (by === 'month') date.setUTCMonth(date.getUTCMonth() - 1);
      else date.setUTCFullYear(date.getUTCFullYear() - 1);
      rows.unshift({ from: from = date.toISOString().slice(0, 10), metres: 1 });
    }
    const found = series(by, rows, 'metres');
    assert.ok(found.length >= MAX_BARS - 3 && found.length <= MAX_BARS, `${by}: ${found.length}`);
    assert.ok(found.every(([, value]) => value === 1), by);
    assert.equal(found.at(-1)[0], last);
  }
  assert.deepEqual(series('day', [{ from: '0001-01-01', metres: 1 }, { from: '2024-01-01', metres: 2 }], 'metres'),
    [['2024-01-01', 2]]);
});

test('the weeks of a year hold each of its days once, on its weekday', () => {
  for (const year of [2023, 2024, 2028, 999]) {
    const columns = weeksOf(year), days = columns.flat().filter(Boolean);
    assert.equal(new Set(days).size, days.length);
    assert.equal(days.length, year % 4 === 0 ? 366 : 365);
    for (const column of columns) {
      assert.equal(column.length, 7);
      column.forEach((day, row) => {
        if (day) assert.equal((new Date(day + 'T00:00:00Z').getUTCDay() + 6) % 7, row, day);
      });
    }
  }
});

test('shades divide the values above 0 into four', () => {
  const shade = shades([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map(shade), [0, 1, 1, 2, 2, 3, 3, 4, 4]);
  assert.equal(shades([])(0), 0);
  assert.equal(shades([3, 3])(3), 1);
});

test('the box of a square of tiles is on the map', () => {
  assert.deepEqual(squareBox({ x: 0, y: 0, side: 2 }, 1).map((value) => Math.round(value * 1e4) / 1e4),
    [-180, -85.0511, 180, 85.0511]);
  const [west, south, east, north] = squareBox({ x: 8802, y: 5373, side: 3 }, 14);
  assert.ok(west < east && south < north && west > 13 && east < 14 && south > 52 && north < 53);
});

test('periods and weekdays have names', () => {
  assert.equal(periodText('year', '0987-01-01'), '987');
  assert.match(periodText('month', '2024-05-01'), /2024/);
  assert.equal(new Set([0, 1, 2, 3, 4, 5, 6].map((day) => weekdayName(day))).size, 7);
});
