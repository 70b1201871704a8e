import { DAY_MS, utcTime } from './days.js';

/// If so many days pass without tracks, they pass this many times as fast.
const IDLE_DAYS = 14, IDLE_FACTOR = 20;

/// The schedule of a time lapse: a function from a share of its length, 0…1, to the instant that is shown then, in
/// milliseconds. `days` are the days with tracks, in order.
export function makeSchedule(days) {
  const times = days.map(({ day }) => utcTime(day));
  // Where the speed changes: [milliseconds that have been played until then, instant].
  const knots = [[0, times[0]]];
  let played = 0;
  for (const [index, at] of times.entries()) {
    const next = times[index + 1] ?? at + DAY_MS, gap = next - at;
    if (gap > IDLE_DAYS * DAY_MS) {
      played += DAY_MS;
      knots.push([played, at + DAY_MS]);
      played += (gap - DAY_MS) / IDLE_FACTOR;
    } else played += gap;
    knots.push([played, next]);
  }
  return (share) => {
    const at = Math.min(1, Math.max(0, share)) * played;
    let low = 0, high = knots.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (knots[middle][0] <= at) low = middle;
      else high = middle;
    }
    const [[from, begin], [until, end]] = [knots[low], knots[high]];
    return until > from ? begin + (end - begin) * (at - from) / (until - from) : end;
  };
}
