// What a session of some length reaches, as a pure function. A position is in seconds along the stages of a route.

/// The longest and the shortest session, in seconds.
export const MAX_SECONDS = 86_400;
export const MIN_SECONDS = 1;

/// The seconds from the first place of a route to each.
export function milestonesOf({ level, places }) {
  let sum = 0;
  return places.map(({ seconds }, index) => sum += index > 0 ? seconds ?? level : 0);
}

/// The position, in seconds along the stages, of somebody who is so many metres from the first place. `measure` has the
/// metres to each place.
export function positionOf(milestones, { places }, metres) {
  const next = places.findIndex((along) => along > metres + 0.001);
  if (next < 0) return milestones.at(-1);
  if (next === 0) return 0;
  const [from, to] = [places[next - 1], places[next]];
  return milestones[next - 1] + (milestones[next] - milestones[next - 1]) * Math.max(0, metres - from) / (to - from);
}

/// The metres from the first place at a position.
export function metresAt(milestones, { places }, position) {
  const next = milestones.findIndex((stone) => stone > position);
  if (next < 0) return places.at(-1);
  if (next === 0) return 0;
  const part = (position - milestones[next - 1]) / (milestones[next] - milestones[next - 1]);
  return places[next - 1] + (places[next] - places[next - 1]) * part;
}

/// Where a session leads that begins at a position: the milestone of its destination, by default the next one.
export function capOf(milestones, position, destination) {
  const next = milestones.find((stone) => stone > position) ?? milestones.at(-1);
  return Math.max(position, milestones[destination] ?? next);
}

/// Where a session of some seconds ends: what it adds to a position on its way to a destination, the index of a place or
/// null. Where a stage asks for one session of its full length, parts of stages do not count.
export function endOf(milestones, position, seconds, destination, isSingle) {
  const end = Math.min(capOf(milestones, position, destination), position + seconds);
  return isSingle ? Math.max(position, ...milestones.filter((stone) => stone <= end)) : end;
}

/// What a session of some seconds reaches: the index of the last new place (-1 for none), the next place after it (-1 at
/// the end of the route) with the seconds that are missing to it, and the seconds of the session that do not move the figure.
export function reachOf({ milestones, position, isSingle }, seconds, destination = null) {
  const end = endOf(milestones, position, seconds, destination, isSingle);
  const reached = milestones.findLastIndex((stone) => stone <= end && stone > position);
  const next = milestones.findIndex((stone) => stone > end);
  return { reached, next, missing: next < 0 ? 0 : Math.ceil(milestones[next] - end), idle: Math.floor(seconds - (end - position)) };
}

/// The seconds to a destination, an index, or to the next place.
export const secondsTo = ({ milestones, position }, destination = null) =>
  Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, Math.ceil(capOf(milestones, position, destination) - position)));

/// A running session at an instant, in milliseconds: how much is left, as a share, too; whether it can be cancelled, and for how
/// much longer.
export function sessionAt({ start, end, cancelUntil, state }, now) {
  const [from, until, free] = [start, end, cancelUntil].map(Date.parse), length = Math.max(1, until - from);
  const left = Math.max(0, until - Math.max(now, from));
  return {
    left, share: 1 - left / length, isOver: left === 0 || state === 'done' || state === 'cancelled',
    cancelLeft: state === 'cancelled' ? 0 : Math.max(0, Math.min(free - now, free - from)),
  };
}

/// A figure that is so near to a place, in seconds, is at it: clocks and lengths are not exact.
const SNAP_SECONDS = 1.5;

/// The position of a figure at an instant, from where it was at another one, { time, position }, while a session runs, whose
/// `destination` is the index of a place or null.
export function walkedTo({ milestones, isSingle }, { time, position }, session, now) {
  if (!session) return position;
  const [start, end] = [session.start, session.end].map(Date.parse);
  // Where it stood when the session began.
  const elapsed = Math.max(0, Math.min(time, end) - start) / 1000, origin = snapped(milestones, Math.max(0, position - elapsed), isSingle);
  const last = endOf(milestones, origin, session.seconds, session.destination, isSingle);
  return Math.max(position, Math.min(last, position + Math.max(0, Math.min(now, end) - Math.max(time, start)) / 1000));
}

function snapped(milestones, position, isSingle) {
  const apart = (stone) => Math.abs(stone - position);
  const stone = milestones.reduce((best, other) => apart(other) < apart(best) ? other : best, milestones[0]);
  // Between the sessions of single stages, the figure is always at a place.
  return isSingle || apart(stone) < SNAP_SECONDS ? stone : position;
}
