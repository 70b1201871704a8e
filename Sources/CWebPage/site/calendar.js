import { state } from './state.js';
import { get } from './server.js';
import { plusDays } from './days.js';

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
      return { ...found, byDay: new Map(found.days.map((day) => [day.day, day])) };
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

/// The next day with tracks before (-1) or after (1) a day; null if there is none.
export async function dayNextTo(day, direction) {
  let year = await loadYear(Number(day.slice(0, 4)));
  // The year that `next` or `previous` names may have no days any more; then its own `next` or `previous` is used.
  while (year) {
    const days = direction < 0 ? year.days.filter((other) => other.day < day).reverse()
      : year.days.filter((other) => other.day > day);
    if (days.length > 0) return days[0].day;
    const other = direction < 0 ? year.previous : year.next;
    if (!other) return null;
    year = await loadYear(Number(other.slice(0, 4)));
  }
  return null;
}

/// The last day with tracks; null if there is none.
export const lastDay = () => dayNextTo('9990-12-31', -1);

/// The shade of a day, 1…4, by its points.
export const shadeOf = ({ points }) =>
  Math.min(SHADES, Math.max(1, Math.ceil(Math.sqrt(points / mostPoints) * SHADES)));

/// The month, `YYYY-MM`, so many months after another one.
export function plusMonths(month, count) {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/// The days of a month, and the number of empty places before the first of them in weeks that begin on Monday.
export function monthDays(month) {
  const days = [];
  for (let day = month + '-01'; day.startsWith(month); day = plusDays(day, 1)) days.push(day);
  return { days, blanks: (new Date(month + '-01T00:00:00Z').getUTCDay() + 6) % 7 };
}
