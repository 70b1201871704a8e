import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metresByYear, sumOfDays, sumOfYears } from '../../Sources/CWebPage/site/totals.js';

const day = (text) => ({ day: text, tracks: 1, points: 10, metres: 1000, seconds: 60 });
const days = ['2019-12-31', '2021-01-01', '2021-06-01', '2024-02-29'].map(day);

/// Calendars as the server answers them; `asked` are the years that were requested.
function calendars() {
  const asked = [];
  return {
    asked,
    async loadYear(year) {
      asked.push(year);
      const own = days.filter((one) => Number(one.day.slice(0, 4)) === year);
      const previous = days.filter((one) => Number(one.day.slice(0, 4)) < year).at(-1)?.day;
      return { days: own, previous };
    },
  };
}

test('the days of a period are added up, both ends included', () => {
  assert.deepEqual(sumOfDays(days, { from: '2021-01-01', to: '2021-06-01' }), { metres: 2000, seconds: 120, points: 20, days: 2 });
  assert.equal(sumOfDays(days, { from: '', to: '' }).days, 4);
  assert.equal(sumOfDays([], { from: '', to: '' }).metres, 0);
});

for (const [from, to, count, years] of [
  ['', '', 4, [2024, 2021, 2019]], ['2021-02-01', '', 2, [2024, 2021]], ['', '2021-01-01', 2, [2021, 2019]],
  ['2022-01-01', '2022-12-31', 0, []], ['2019-12-31', '2019-12-31', 1, [2019]],
]) {
  test(`the period ${from || '…'} to ${to || '…'} has ${count} days`, async () => {
    const { loadYear } = calendars();
    const found = await sumOfYears(loadYear, { from, to });
    assert.equal(found.all.days, count);
    assert.deepEqual(found.years.map(({ year }) => year), years);
    assert.equal(found.years.reduce((sum, { metres }) => sum + metres, 0), found.all.metres);
  });
}

test('years before the period are not requested', async () => {
  const { loadYear, asked } = calendars();
  await sumOfYears(loadYear, { from: '2024-01-01', to: '2024-12-31' });
  assert.deepEqual(asked, [2024]);
});

test('years without tracks are in the chart', () => {
  assert.deepEqual(metresByYear([{ year: 2024, metres: 5 }, { year: 2021, metres: 7 }]), [[2021, 7], [2022, 0], [2023, 0], [2024, 5]]);
});
