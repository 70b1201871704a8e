extension Page {
    /// The way that a dot has come, for one that is set down in the middle of a track.
    static let pastScript = #"""
        import { follow } from './stream.js';

        const KINDS = ['start', 'frame', 'gap', 'reset', 'end'];
        /// Of a longer way so much is read that a trail would be drawn no finer.
        const MOST_POINTS = 100_000;

        /// Asks for a track's points from an instant until another, and gives them to `done` when all are there. What it
        /// returns ends the asking.
        export function askPast(id, from, until, done) {
          let points = [], base = 0, isBegin = true;
          const give = () => {
            stream.close();
            done(points);
          };
          const handlers = {
            start(value) {
              base = value.t0;
            },
            frame({ p, dt }) {
              const time = base + dt;
              if (time >= until) give();
              else if (points.length >= MOST_POINTS) stream.close();
              else points.push({ place: p, time, isBegin });
              isBegin = false;
            },
            gap() {
              isBegin = true;
            },
            reset() {
              points = [];
              isBegin = true;
            },
            end: give,
          };
          const stream = follow('v1/tracks/' + encodeURIComponent(id) + '/replay',
            { speed: 'max', seek: new Date(from).toISOString() }, KINDS, {
              event: (kind, value) => handlers[kind](value), lost() {}, back() {}, refused() {}, over() {},
            });
          return stream.close;
        }

        """#
}
