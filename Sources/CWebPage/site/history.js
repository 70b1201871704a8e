import { trackPath } from './server.js';
import { follow } from './stream.js';

const KINDS = ['start', 'frame', 'gap', 'reset', 'end'];
const METRES_PER_DEGREE = 111_320;
/// Longer histories are cut; a trail would not look finer.
const MAX_POINTS = 100_000;

/// Requests the points of a track between two instants, for the trail behind a marker that begins in the middle of the
/// track, and calls `done` with them when all have been received. The returned function cancels it.
export function requestHistory(id, from, until, done) {
  let points = [], base = 0, isStart = true;
  const finish = () => {
    stream.close();
    done(points);
  };
  const handlers = {
    start(value) {
      base = value.t0;
    },
    frame({ p, dt }) {
      const time = base + dt;
      if (time >= until) finish();
      else if (points.length >= MAX_POINTS) stream.close();
      else points.push({ place: p, time, isStart });
      isStart = false;
    },
    gap() {
      isStart = true;
    },
    reset() {
      points = [];
      isStart = true;
    },
    end: finish,
  };
  const stream = follow(trackPath(id) + '/replay',
    { speed: 'max', seek: new Date(from).toISOString() }, KINDS, {
      event: (kind, value) => handlers[kind](value), lost() {}, back() {}, refused() {}, over() {},
    });
  return stream.close;
}

/// A recorder that is farther than this from its first place is on its way; nearer than the other, it still rests.
const MOVED_METRES = 60, STAYED_METRES = 20;
/// The replay begins so long before the first movement; a shorter rest is not left out.
const LEAD_MS = 5000, MIN_REST_MS = 60_000;
/// Only the first hour of a track is searched for a movement; the search ends after the second time.
const MAX_REST_MS = 3_600_000, PATIENCE_MS = 1500;

/// The instant shortly before points, {place, time}, begin to move; undefined if they move at once, or not at all.
export function firstMovement(points) {
  if (points.length === 0) return undefined;
  const [{ place: first, time: began }] = points;
  const metres = ({ place: [longitude, latitude] }) => Math.hypot(
    (longitude - first[0]) * Math.cos(latitude * Math.PI / 180), latitude - first[1]) * METRES_PER_DEGREE;
  const moved = points.findIndex((point) => metres(point) > MOVED_METRES);
  if (moved < 0) return undefined;
  const rest = points.slice(0, moved).findLast((point) => metres(point) < STAYED_METRES).time;
  return rest - began < MIN_REST_MS ? undefined : rest - LEAD_MS;
}

/// The instant shortly before a track, which begins at `from`, begins to move; undefined if it moves at once, or if that
/// cannot be determined soon.
export function requestFirstMovement(id, from) {
  return new Promise((done) => {
    const cancel = requestHistory(id, from, from + MAX_REST_MS, (points) => done(firstMovement(points)));
    setTimeout(() => {
      cancel();
      done(undefined);
    }, PATIENCE_MS);
  });
}
