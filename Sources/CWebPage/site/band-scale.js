import { plusYears } from './days.js';

const DAY_MS = 86_400_000;
/// A band has at least so many days, so that a single one can be seen.
const MIN_DAYS = 28;
const MONTHS = 1000 * DAY_MS;

const time = (day) => Date.parse(day + 'T00:00:00Z');
const dayOf = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);

/// A band of time for the days of a calendar, in order; null if there are none.
export function makeBand(days) {
  if (days.length === 0) return null;
  const [first, last] = [days[0].day, days.at(-1).day];
  const spare = Math.max(0, MIN_DAYS - (time(last) - time(first)) / DAY_MS) / 2;
  const begin = time(first) - Math.ceil(spare) * DAY_MS, end = time(last) + (Math.ceil(spare) + 1) * DAY_MS;
  return {
    first, last, begin, end, days, byDay: new Map(days.map((day) => [day.day, day])), ticks: ticks(begin, end),
    /// The distance recorded in each of `count` equal parts, as a share of the most.
    bars(count) {
      const sums = new Array(Math.max(1, count)).fill(0);
      for (const { day, metres } of days) {
        const bar = Math.floor((time(day) + DAY_MS / 2 - begin) / (end - begin) * sums.length);
        // A day without a distance was recorded, too.
        sums[bar] += Math.max(1, metres);
      }
      const most = Math.max(...sums);
      return sums.map((sum) => sum / most);
    },
  };
}

/// The beginnings of years in a band, or those of months if it is short.
function ticks(begin, end) {
  const isShort = end - begin < MONTHS, found = [];
  const from = new Date(begin);
  for (let step = 1; ; step++) {
    const at = isShort ? Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + step) : Date.UTC(from.getUTCFullYear() + step);
    if (at >= end) return found;
    const options = isShort ? { month: 'short', year: 'numeric' } : { year: 'numeric' };
    const text = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(at);
    found.push({ share: (at - begin) / (end - begin), text });
  }
}

/// The day of tracks that is the fewest whole years before `today`, with the number of years; null if there is none.
export function yearsAgo({ first, byDay }, today) {
  for (let years = 1; ; years++) {
    const day = plusYears(today, -years);
    if (day < first) return null;
    if (byDay.has(day)) return { day, years };
  }
}

/// Where a day begins, or ends if `isEnd`, as a share of the band, 0…1.
export function shareOf(band, day, isEnd = false) {
  const share = (time(day) + (isEnd ? DAY_MS : 0) - band.begin) / (band.end - band.begin);
  return Math.min(1, Math.max(0, share));
}

/// The day at a share of the band.
export const dayAt = (band, share) =>
  dayOf(Math.min(band.begin + share * (band.end - band.begin), band.end - DAY_MS));

const clamped = (band, day) => day < band.first ? band.first : day > band.last ? band.last : day;

/// The days [first, last] that are selected when the pointer was pressed at `share` and is at `now`. `kind` says on what
/// it was pressed: `new` (on nothing), `move` (on the selection), or `from` or `to` (on an end); `before` is what was
/// selected.
export function windowAfter(band, { kind, share, before }, now) {
  const [from, to] = before;
  if (kind === 'move') {
    const days = Math.round((now - share) * (band.end - band.begin) / DAY_MS);
    const least = (time(band.first) - time(from)) / DAY_MS, most = (time(band.last) - time(to)) / DAY_MS;
    const moved = Math.min(Math.max(days, Math.min(0, least)), Math.max(0, most));
    return [dayOf(time(from) + moved * DAY_MS), dayOf(time(to) + moved * DAY_MS)];
  }
  const day = clamped(band, dayAt(band, now));
  const fixed = kind === 'from' ? to : kind === 'to' ? from : clamped(band, dayAt(band, share));
  return [day, fixed].sort();
}
