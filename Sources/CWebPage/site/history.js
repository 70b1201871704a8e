import { follow } from './stream.js';

const KINDS = ['start', 'frame', 'gap', 'reset', 'end'];
/// Longer histories are cut; a trail would not look finer.
const MAX_POINTS = 100_000;

/// Requests the points of a track from an instant until another one, and calls `done` with them when all have been
/// received: the part of the trail before the place where a marker is set down. The returned function cancels it.
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
  const stream = follow('v1/tracks/' + encodeURIComponent(id) + '/replay',
    { speed: 'max', seek: new Date(from).toISOString() }, KINDS, {
      event: (kind, value) => handlers[kind](value), lost() {}, back() {}, refused() {}, over() {},
    });
  return stream.close;
}
