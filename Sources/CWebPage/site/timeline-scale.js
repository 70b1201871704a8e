import { DAY_MS, plusYears, utcDay, utcFormat, utcTime } from './days.js';

/// A timeline has at least so many days, so that a single one can be seen.
const MIN_DAYS = 28;
/// A shorter timeline is labelled with months, a longer one with years.
const MONTHS_MS = 1000 * DAY_MS;

/// The timeline of the days of a calendar, in order; null if there are none.
export function makeTimeline(days) {
  if (days.length === 0) return null;
  const [first, last] = [days[0].day, days.at(-1).day];
  const spare = Math.max(0, MIN_DAYS - (utcTime(last) - utcTime(first)) / DAY_MS) / 2;
  const begin = utcTime(first) - Math.ceil(spare) * DAY_MS, end = utcTime(last) + (Math.ceil(spare) + 1) * DAY_MS;
  return {
    first, last, begin, end, days, byDay: new Map(days.map((day) => [day.day, day])), ticks: ticks(begin, end),
    /// The distance recorded in each of `count` equal parts, as a share of the greatest.
    bars(count) {
      const sums = new Array(Math.max(1, count)).fill(0);
      for (const { day, metres } of days) {
        const bar = Math.floor((utcTime(day) + DAY_MS / 2 - begin) / (end - begin) * sums.length);
        // A day without a distance was recorded, too.
        sums[bar] += Math.max(1, metres);
      }
      const most = Math.max(...sums);
      return sums.map((sum) => sum / most);
    },
  };
}

/// Where years begin between two instants, or where months begin if the time is short.
function ticks(begin, end) {
  const isShort = end - begin < MONTHS_MS, found = [];
  const from = new Date(begin), format = utcFormat({ ...isShort ? { month: 'short' } : {}, year: 'numeric' });
  for (let step = 1; ; step++) {
    const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
    const at = isShort ? Date.UTC(year, month + step) : Date.UTC(year + step);
    if (at >= end) return found;
    found.push({ share: (at - begin) / (end - begin), text: format.format(at) });
  }
}

/// The day with tracks that is the fewest whole years before `today`, and the number of years; null if there is none.
export function yearsAgo({ first, byDay }, today) {
  for (let years = 1; ; years++) {
    const day = plusYears(today, -years);
    if (day < first) return null;
    if (byDay.has(day)) return { day, years };
  }
}

/// Where a day begins, or ends if `isEnd`, as a share of the timeline, 0…1.
export function shareOf(timeline, day, isEnd = false) {
  const share = (utcTime(day) + (isEnd ? DAY_MS : 0) - timeline.begin) / (timeline.end - timeline.begin);
  return Math.min(1, Math.max(0, share));
}

/// The day at a share of the timeline.
export const dayAt = (timeline, share) =>
  utcDay(Math.min(timeline.begin + share * (timeline.end - timeline.begin), timeline.end - DAY_MS));

const clamped = (timeline, day) =>
  day < timeline.first ? timeline.first : day > timeline.last ? timeline.last : day;

/// The selected days, [first, last], after the pointer was pressed at `share` and moved to `now`. `kind` is what was
/// pressed: `new` for an empty place, `move` for the selection, `from` or `to` for one of its ends. `before` is what was
/// selected before.
export function windowAfter(timeline, { kind, share, before }, now) {
  const [from, to] = before;
  if (kind === 'move') {
    const days = Math.round((now - share) * (timeline.end - timeline.begin) / DAY_MS);
    const least = (utcTime(timeline.first) - utcTime(from)) / DAY_MS;
    const most = (utcTime(timeline.last) - utcTime(to)) / DAY_MS;
    const moved = Math.min(Math.max(days, Math.min(0, least)), Math.max(0, most));
    return [utcDay(utcTime(from) + moved * DAY_MS), utcDay(utcTime(to) + moved * DAY_MS)];
  }
  const day = clamped(timeline, dayAt(timeline, now));
  const fixed = kind === 'from' ? to : kind === 'to' ? from : clamped(timeline, dayAt(timeline, share));
  return [day, fixed].sort();
}
