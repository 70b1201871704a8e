const DAY_MS = 86_400_000;
/// In a longer time without tracks, a day passes this many times as fast.
const IDLE_DAYS = 14, IDLE_FACTOR = 20;

/// The instants of a film of all days: a function from a share of its length, 0…1, to milliseconds. `days` are the days
/// with tracks, in order. Long times without tracks pass quickly.
export function makeLifeTime(days) {
  const times = days.map(({ day }) => Date.parse(day + 'T00:00:00Z'));
  // The film at the beginning of each stretch: [played milliseconds, instant].
  const marks = [[0, times[0]]];
  let played = 0;
  for (const [index, at] of times.entries()) {
    const next = times[index + 1] ?? at + DAY_MS, gap = next - at;
    if (gap > IDLE_DAYS * DAY_MS) {
      played += DAY_MS;
      marks.push([played, at + DAY_MS]);
      played += (gap - DAY_MS) / IDLE_FACTOR;
    } else played += gap;
    marks.push([played, next]);
  }
  return (share) => {
    const at = Math.min(1, Math.max(0, share)) * played;
    let low = 0, high = marks.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (marks[middle][0] <= at) low = middle;
      else high = middle;
    }
    const [[from, begin], [until, end]] = [marks[low], marks[high]];
    return until > from ? begin + (end - begin) * (at - from) / (until - from) : end;
  };
}
