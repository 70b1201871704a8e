import { plusDays } from './days.js';
import { counted, distanceText } from './text.js';

const two = (value) => String(value).padStart(2, '0');

/// Seconds as a clock: `1:05:09` or `25:00`.
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds)), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return (hours > 0 ? hours + ':' + two(minutes) : String(minutes)) + ':' + two(whole % 60);
}

/// Seconds in words, exactly: `1 h 5 min`, `90 s` is `1 min 30 s`.
export function spanText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds)), parts = [[Math.floor(whole / 3600), 'h'], [Math.floor(whole / 60) % 60, 'min'], [whole % 60, 's']];
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return words.length > 0 ? words.slice(0, whole >= 3600 ? 2 : 3).join(' ') : '0 s';
}

/// Seconds of focus in words, for totals.
export const focusText = (seconds) => seconds < 60 ? `${Math.floor(seconds)} s` : spanText(Math.floor(seconds / 60) * 60);

/// What a session reaches, in words. `names` are those of the route's places.
export function reachText({ reached, next, missing, idle }, names, { isSingle = false, seconds = 0, isChosen = false } = {}) {
  if (next < 0 && reached < 0) return 'This journey has reached the end of its route.';
  const more = next < 0 ? '' : `${spanText(missing)} more to ${names[next]}`;
  if (reached < 0 && isSingle) return `Does not count: ${names[next]} asks for one session of ${spanText(missing)}.`;
  if (reached < 0) return `On the way to ${names[next]}, ${spanText(missing)} more.`;
  const end = next < 0 ? `Reaches ${names[reached]}, the end of the route.` : `Reaches ${names[reached]}, ${more}.`;
  if (idle < 1 || idle >= seconds) return end;
  const advice = next < 0 || isChosen ? '' : ' Choose a place further on to go there, too.';
  return `${end} The last ${spanText(idle)} do not move you.${advice}`;
}

/// How far a journey is, in words.
export const progressText = ({ unlocked, done, metres }, places) =>
  `${unlocked.length} of ${counted(places, 'place')}, ${distanceText(done)} of ${distanceText(metres)}`;

/// How far somebody is ahead of a plan, in words.
export function aheadText(metres) {
  if (metres === null || metres === undefined) return '';
  if (Math.abs(metres) < 1) return 'As planned';
  return `${distanceText(Math.abs(metres))} ${metres > 0 ? 'ahead of' : 'behind'} the plan`;
}

/// Hours, minutes and seconds, as texts of fields, in seconds; NaN if they are not a time of a session.
export function secondsOf(hours, minutes, seconds) {
  const parts = [hours, minutes, seconds].map((text) => String(text).trim() === '' ? 0 : Number(text));
  if (!parts.every((part) => Number.isInteger(part) && part >= 0)) return NaN;
  const whole = parts[0] * 3600 + parts[1] * 60 + parts[2];
  return whole >= 1 && whole <= 86_400 ? whole : NaN;
}

/// The next reward and how much of it is there: { reward, share, seconds } of what is missing; null if all are granted.
export function nextReward(rewards, focusSeconds) {
  const reward = [...rewards].sort((one, other) => one.hours - other.hours).find(({ hours }) => hours * 3600 > focusSeconds);
  return reward ? { reward, share: focusSeconds / (reward.hours * 3600), seconds: reward.hours * 3600 - focusSeconds } : null;
}

/// The box of a line, [west, south, east, north]; it may go beyond 180°.
export function boxOf(line) {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity], before = line[0]?.[0] ?? 0;
  for (const [longitude, latitude] of line) {
    before += ((longitude - before + 180) % 360 + 360) % 360 - 180;
    [west, east] = [Math.min(west, before), Math.max(east, before)];
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  }
  return [west, south, east, north];
}

/// The type of a route file, by its name; undefined if it is none.
export const routeType = (name) => ({
  gpx: 'application/gpx+xml', geojson: 'application/geo+json', json: 'application/json',
})[/\.(\w+)$/.exec(name.toLowerCase())?.[1]];

/// The longest run of days, ascending as `YYYY-MM-DD`, and the one that ends today or yesterday.
export function streaksOf(days, today) {
  let longest = 0, run = 0, before = '';
  for (const day of days) {
    run = before && plusDays(before, 1) === day ? run + 1 : 1;
    longest = Math.max(longest, run);
    before = day;
  }
  return { longest, current: before && plusDays(before, 1) >= today ? run : 0 };
}
