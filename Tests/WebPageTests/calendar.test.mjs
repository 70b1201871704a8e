import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { dayIn, dayNextTo, forgetDays, knownZone, lastDay, libraryZone, loadYear, monthDays, monthInDirection, plusMonths, recordedYears, shadeOf } from '../../Sources/CWebPage/site/calendar.js';

/// 2022 has a day, 2023 has lost its days, 2024 has two.
const years = {
  2022: { days: [{ day: '2022-07-01', points: 100 }], next: '2023-01-01' },
  2023: { days: [], previous: '2022-07-01', next: '2024-03-01' },
  2024: { days: [{ day: '2024-03-01', points: 1600 }, { day: '2024-12-31', points: 1 }], previous: '2023-01-01' },
};
let requests = [];

beforeEach(() => {
  requests = [];
  forgetDays();
  globalThis.fetch = async (address) => {
    requests.push(address);
    const year = new URL(address, 'http://h/').searchParams.get('year');
    const found = years[year] ?? (year > 2024 ? { days: [], previous: '2024-12-31' } : { days: [], next: '2022-07-01' });
    return new Response(JSON.stringify({ tz: 'Pacific/Kiritimati', ...found }));
  };
});

test('the next day is found across years without days', async () => {
  assert.equal(await dayNextTo('2024-03-01', 1), '2024-12-31');
  assert.equal(await dayNextTo('2024-03-01', -1), '2022-07-01');
  assert.equal(await dayNextTo('2022-07-01', 1), '2024-03-01');
  assert.equal(await dayNextTo('2024-12-31', 1), null);
  assert.equal(await dayNextTo('2022-07-01', -1), null);
  assert.equal(await lastDay(), '2024-12-31');
});

test('a year is requested once, and again after a failure', async () => {
  await loadYear(2024);
  await loadYear(2024);
  assert.equal(requests.length, 1);
  const answering = globalThis.fetch;
  globalThis.fetch = async () => new Response('{}', { status: 503 });
  await assert.rejects(loadYear(2022));
  globalThis.fetch = answering;
  assert.equal((await loadYear(2022)).byDay.get('2022-07-01').points, 100);
});

test('days are those of the library’s zone', async () => {
  await loadYear(2024);
  assert.equal(libraryZone(), 'Pacific/Kiritimati');
  assert.equal(dayIn(Date.parse('2024-03-01T11:00:00Z')), '2024-03-02');
  assert.equal(dayIn(Date.parse('2024-03-01T09:59:59Z')), '2024-03-01');
  assert.equal(knownZone('Mars/Olympus'), 'UTC');
});

test('a month has its days after the empty places of its first week', () => {
  // September 2024 began on a Sunday, April 2024 on a Monday.
  assert.equal(monthDays('2024-09').blanks, 6);
  assert.equal(monthDays('2024-04').blanks, 0);
  assert.equal(monthDays('2024-02').days.length, 29);
  assert.equal(monthDays('2023-02').days.at(-1), '2023-02-28');
});

test('months are added across years', () => {
  assert.equal(plusMonths('2024-01', -1), '2023-12');
  assert.equal(plusMonths('2024-12', 1), '2025-01');
  assert.equal(plusMonths('2024-05', 12), '2025-05');
});

test('shades grow with the points of a day', async () => {
  await loadYear(2024);
  assert.deepEqual([0, 1, 100, 101, 400, 900, 901, 1600].map((points) => shadeOf({ points })), [1, 1, 1, 2, 2, 3, 4, 4]);
});

/// Answers as the server does for tracks, each a list of days: a track is found in all years from its first day to its
/// last one, and `previous` is the first day of a track that crosses the beginning of the year.
function answerFor(tracks) {
  globalThis.fetch = async (address) => {
    const year = Number(new URL(address, 'http://h/').searchParams.get('year'));
    const [first, next] = [`${year}-01-01`, `${year + 1}-01-01`].map((day) => day.padStart(10, '0'));
    const days = [...new Set(tracks.flat())].filter((day) => day >= first && day < next).sort();
    const crossing = tracks.filter((track) => track[0] < first && track.at(-1) >= first).map((track) => track[0]).sort();
    const earlier = tracks.map((track) => track.at(-1)).filter((day) => day < first).sort();
    const later = tracks.filter((track) => track.at(-1) >= next).map((track) => track[0] > next ? track[0] : next).sort();
    return new Response(JSON.stringify({
      tz: 'UTC', days: days.map((day) => ({ day, points: 1 })), previous: crossing[0] ?? earlier.at(-1) ?? null, next: later[0] ?? null,
    }));
  };
}

test('no year with days is left out, and none without days is shown, whatever tracks span', async () => {
  const libraries = [
    // A track with points in three of six years, and others within and around it.
    [['2019-05-01', '2021-06-01', '2024-07-01'], ['2020-02-02'], ['2016-03-03'], ['2027-08-08']],
    [['2019-05-01', '2024-07-01']],
    [['2019-05-01', '2024-07-01'], ['2018-01-01', '2022-12-31', '2030-05-05']],
    [['2020-01-01'], ['2020-12-31', '2021-01-01']], [],
  ];
  for (const tracks of libraries) {
    answerFor(tracks);
    forgetDays();
    const wanted = [...new Set(tracks.flat())].sort();
    assert.deepEqual((await recordedYears()).flatMap(({ days }) => days.map(({ day }) => day)), wanted);
    for (let day = '0001-01-01', index = 0; index <= wanted.length; index++) {
      day = await dayNextTo(day, 1);
      assert.equal(day, wanted[index] ?? null);
    }
    for (let index = wanted.length - 1; index > 0; index--) assert.equal(await dayNextTo(wanted[index], -1), wanted[index - 1]);
  }
});

test('the calendar goes past years without days', async () => {
  answerFor([['2019-05-01', '2024-07-01']]);
  assert.equal(await monthInDirection('2019-05', '2020-05'), '2024-07');
  assert.equal(await monthInDirection('2024-07', '2023-07'), '2019-05');
  assert.equal(await monthInDirection('2019-05', '2019-04'), '2019-04');
  assert.equal(await monthInDirection('2019-12', '2020-01'), '2024-07');
  // Nothing follows.
  assert.equal(await monthInDirection('2024-07', '2025-07'), '2024-07');
  assert.equal(await monthInDirection('2019-05', '2018-05'), '2019-05');
});
