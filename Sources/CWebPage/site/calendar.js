import { state } from './state.js';
import { get } from './server.js';
import { plusDays, utcDay, weekdayOf } from './days.js';

/// Shades of days, by how much was recorded.
const SHADES = 4;

let years = new Map(), zone = 'UTC', mostPoints = 1, dayZone = '', dayParts = null;

/// Makes later calls request the calendar again.
export function forgetDays() {
  years = new Map();
}

/// The library's time zone; UTC until it is known.
export const libraryZone = () => zone;

/// The calendar of a year of the current layer: `days`, the same `byDay`, and `previous` and `next` year with tracks.
export function loadYear(number) {
  const key = state.layer + '/' + number;
  if (!years.has(key)) {
    const request = get('v1/calendar', { year: number, layer: state.layer }).then((found) => {
      zone = found.tz;
      mostPoints = Math.max(mostPoints, ...found.days.map(({ points }) => points));
      return { ...found, number, byDay: new Map(found.days.map((day) => [day.day, day])) };
    });
    years.set(key, request);
    // A failed request is repeated by the next call.
    request.catch(() => years.delete(key));
  }
  return years.get(key);
}

/// The day of an instant, in milliseconds, in the library's zone, as far as it is known.
export function dayIn(instant) {
  if (dayZone !== knownZone()) {
    dayZone = knownZone();
    dayParts = new Intl.DateTimeFormat('en', { timeZone: dayZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  }
  const parts = dayParts.formatToParts(instant);
  const part = (name) => parts.find(({ type }) => type === name).value;
  return [part('year').padStart(4, '0'), part('month'), part('day')].join('-');
}

/// Requests the library's zone if it is not known yet.
export const loadZone = () => loadYear(new Date().getUTCFullYear());

/// A time zone that this browser knows: the library's, or else UTC.
export function knownZone(name = zone) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return 'UTC';
  }
}

/// A format for instants in the reader's locale and in a time zone, by default the library's.
export const zonedFormat = (options, timeZone = knownZone()) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone });

/// An instant, as a date or in milliseconds, in the library's time zone or in another one.
export const instantText = (instant, zone) =>
  zonedFormat({ dateStyle: 'medium', timeStyle: 'short' }, zone).format(new Date(instant));

/// The time of day of an instant in the library's time zone, with seconds.
export const timeText = (instant) => zonedFormat({ timeStyle: 'medium' }).format(new Date(instant));

/// The next year with days after (1) or before (-1) a year, as `loadYear` returns them; null if there is none.
async function nextYear(year, direction) {
  // `next` can name a year without days: one in the middle of a long track that has no point in it, or one whose
  // tracks were removed. The search goes on from there.
  if (direction > 0) {
    do {
      year = year.next ? await loadYear(Number(year.next.slice(0, 4))) : null;
    } while (year && year.days.length === 0);
    return year;
  }
  // If a track lasts into this year, `previous` is the year in which it began, even if years between them have days.
  while (year.previous) {
    const first = await loadYear(Number(year.previous.slice(0, 4)));
    let last = first;
    for (let other = await nextYear(first, 1); other && other.number < year.number; other = await nextYear(other, 1)) {
      last = other;
    }
    if (last.days.length > 0) return last;
    year = first;
  }
  return null;
}

/// The next day with tracks before (-1) or after (1) a day; null if there is none.
export async function dayNextTo(day, direction) {
  for (let year = await loadYear(Number(day.slice(0, 4))); year; year = await nextYear(year, direction)) {
    const found = direction < 0
      ? year.days.findLast((other) => other.day < day) : year.days.find((other) => other.day > day);
    if (found) return found.day;
  }
  return null;
}

/// The years with days, in order.
export async function recordedYears() {
  const last = await lastDay(), years = [];
  for (let year = last && await loadYear(Number(last.slice(0, 4))); year; year = await nextYear(year, -1)) {
    years.unshift(year);
  }
  return years;
}

/// The month to show when the reader goes from `month` to the month `wanted`: that one, unless its year has no days.
/// Then it is the next month with days in the same direction, or `month` itself if there is none.
export async function monthInDirection(month, wanted) {
  if (wanted.slice(0, 4) === month.slice(0, 4)) return wanted;
  if ((await loadYear(Number(wanted.slice(0, 4)))).days.length > 0) return wanted;
  const direction = wanted > month ? 1 : -1;
  const day = await dayNextTo(direction > 0 ? wanted + '-01' : wanted + '-31', direction);
  return day ? day.slice(0, 7) : month;
}

/// The last day with tracks; null if there is none. The search begins in a year that the server accepts (1–9998) and
/// that is later than any recording.
export const lastDay = () => dayNextTo('9990-12-31', -1);

/// The shade of a day, 1…4, by its points.
export const shadeOf = ({ points }) =>
  Math.min(SHADES, Math.max(1, Math.ceil(Math.sqrt(points / mostPoints) * SHADES)));

/// The month, `YYYY-MM`, so many months after another one.
export function plusMonths(month, count) {
  const [year, number] = month.split('-').map(Number);
  return utcDay(Date.UTC(year, number - 1 + count, 1)).slice(0, 7);
}

/// The days of a month, and the number of empty places before the first of them in weeks that begin on Monday.
export function monthDays(month) {
  const days = [];
  for (let day = month + '-01'; day.startsWith(month); day = plusDays(day, 1)) days.push(day);
  return { days, blanks: weekdayOf(month + '-01') };
}
