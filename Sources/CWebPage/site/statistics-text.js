import { capitalized, distanceText, heightText, number } from './text.js';
import { dateText, DAY_MS, plusDays, utcDay, utcFormat, utcTime, weekdayOf } from './days.js';
import { latitudeOf } from './mercator.js';

const HOUR = 3600, DAYS_PER_WEEK = 7;
/// No day is before this one.
const FIRST_DAY = '0000-01-01';
/// More bars than that cannot be told apart.
export const MAX_BARS = 180;

/// A duration in hours, given in seconds.
export function hoursText(seconds) {
  const hours = seconds / HOUR;
  return hours.toLocaleString(undefined, { maximumFractionDigits: hours < 10 ? 1 : 0 }) + ' h';
}

/// What can be added up: its name, and how a value is written.
export const measures = {
  metres: { name: 'Distance', text: distanceText }, seconds: { name: 'Time', text: hoursText },
  movingSeconds: { name: 'Moving time', text: hoursText }, climb: { name: 'Climb', text: heightText },
  tracks: { name: 'Tracks', text: number.format }, days: { name: 'Days', text: number.format },
};

/// The periods that totals are made of.
export const periodNames = { day: 'Day', week: 'Week', month: 'Month', year: 'Year' };

/// A period, from its first day, in words: `May 2024`.
export function periodText(by, from) {
  if (by === 'day') return dateText(from);
  if (by === 'week') return 'Week of ' + dateText(from);
  if (by === 'month') return utcFormat({ month: 'long', year: 'numeric' }).format(utcTime(from));
  return String(Number(from.slice(0, 4)));
}

/// The name of a month, 1…12.
export const monthName = (month) => utcFormat({ month: 'short' }).format(Date.UTC(2024, month - 1, 1));

/// The name of a weekday: 0 is Monday. The first of January 2024 was one.
export const weekdayName = (weekday) => utcFormat({ weekday: 'long' }).format(Date.UTC(2024, 0, 1 + weekday));

/// The first day of the period after another one.
export function nextPeriod(by, from) {
  if (by === 'day') return plusDays(from, 1);
  if (by === 'week') return plusDays(from, DAYS_PER_WEEK);
  const [year, month] = from.split('-').map(Number);
  return by === 'year' ? String(year + 1).padStart(4, '0') + '-01-01'
    : utcDay(Date.UTC(year, month, 1));
}

/// The last periods of some rows, ascending, with those between them in which nothing was recorded: [first day, value].
export function series(by, rows, measure, count = MAX_BARS) {
  const values = new Map(rows.map((row) => [row.from, row[measure]]));
  const last = rows.at(-1)?.from, found = [];
  if (last === undefined) return found;
  // Rows may be thousands of years apart, so begin near the end.
  const first = rows.find(({ from }) => from >= startOf(by, last, count)).from;
  for (let from = first; from <= last; from = nextPeriod(by, from)) found.push([from, values.get(from) ?? 0]);
  return found.slice(-count);
}

/// The earliest first day of a series of `count` periods whose last one begins at a day.
function startOf(by, last, count) {
  // Rounded up: the series begins early enough, and what is too much is cut off at the end.
  const days = { day: 1, week: DAYS_PER_WEEK, month: 30.5, year: 366 }[by];
  const start = utcTime(last) - days * (count - 1) * DAY_MS;
  return start < utcTime(FIRST_DAY) ? FIRST_DAY : utcDay(start);
}

/// The weeks of a year as columns of seven days from Monday on; null where a day belongs to another year.
export function weeksOf(year) {
  const text = String(year).padStart(4, '0');
  let day = text + '-01-01', column = Array(weekdayOf(day)).fill(null);
  const columns = [];
  while (day.startsWith(text)) {
    column.push(day);
    if (column.length === DAYS_PER_WEEK) {
      columns.push(column);
      column = [];
    }
    day = plusDays(day, 1);
  }
  if (column.length > 0) columns.push([...column, ...Array(DAYS_PER_WEEK - column.length).fill(null)]);
  return columns;
}

/// A shade, 1…4, for each value above 0: equal numbers of the values have each shade.
export function shades(values) {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  return (value) => value <= 0 || sorted.length === 0 ? 0
    : 1 + Math.min(3, Math.floor(4 * (sorted.findIndex((other) => other >= value) / sorted.length)));
}

/// The box of a square of tiles: `side` tiles eastwards and southwards of the tile x, y; [west, south, east, north].
export function squareBox({ x, y, side }, zoom) {
  const tiles = 2 ** zoom;
  const longitude = (column) => column / tiles * 360 - 180;
  return [longitude(x), latitudeOf((y + side) / tiles), longitude(x + side), latitudeOf(y / tiles)];
}

/// The name of an activity, in words.
export const activityText = (activity) => activity ? capitalized(activity) : 'No activity';
