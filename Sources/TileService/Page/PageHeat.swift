extension Page {
    /// Heat below a moving dot: tiles as they were at the replay's moment.
    static let heatScript = #"""
        import { known, query, state } from './state.js';
        import { address } from './server.js';
        import { showMoment, zoomShown } from './map.js';

        /// Tiles are asked for again after this time, and after twice as long as they took the last time.
        const PAUSE_MS = 1000;
        /// A picture reaches beyond the tile that a line is in by so much of a tile's width.
        const REACH = 0.07;
        /// So many tiles passed, and all are asked for.
        const MANY = 400;

        let passed = new Set(), passedZoom = null, isWhole = true, isBusy = false, next = 0, shownAt = null;
        const last = new Map();

        /// Which tiles change: those that a dot passes.
        export function pass(key, [longitude, latitude]) {
          if (isWhole) return;
          const zoom = zoomShown();
          if (zoom !== passedZoom) {
            wholly();
            return;
          }
          const side = 2 ** zoom, sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
          const x = (longitude / 360 + 0.5) * side;
          const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side;
          const [fromX, fromY] = last.get(key) ?? [x, y];
          last.set(key, [x, y]);
          const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) * 8) || 1;
          if (steps > MANY || passed.size > MANY) {
            wholly();
            return;
          }
          for (let step = 0; step <= steps; step++) {
            const [atX, atY] = [fromX + (x - fromX) * step / steps, fromY + (y - fromY) * step / steps];
            for (const column of [atX - REACH, atX + REACH]) {
              for (const row of [atY - REACH, atY + REACH]) {
                passed.add(((Math.floor(column) % side) + side) % side + '/' + Math.floor(row));
              }
            }
          }
        }

        /// All tiles are asked for the next time.
        export function wholly() {
          isWhole = true;
          next = 0;
          passed.clear();
          last.clear();
        }

        /// Shows the heat of all that was recorded until an instant, where it is time to.
        export function showHeat(instant, style) {
          if (isBusy || performance.now() < next || instant === shownAt && !isWhole) return;
          const template = address('tiles/' + encodeURIComponent(style) + '/{z}/{x}/{y}.png', {
            ...query(['layer', 'ramp']), asof: new Date(instant).toISOString(), v: known.revision,
          });
          const zoom = zoomShown(), some = isWhole || zoom !== passedZoom ? null : passed;
          shownAt = instant;
          [passed, passedZoom, isWhole, isBusy] = [new Set(), zoom, false, true];
          const began = performance.now();
          showMoment(template, some ? ({ x, y, z }) => z !== zoom || some.has(x + '/' + y) : undefined).finally(() => {
            isBusy = false;
            next = performance.now() + Math.max(PAUSE_MS, 2 * (performance.now() - began));
          });
        }

        /// Shows the usual tiles again.
        export function hideHeat() {
          shownAt = null;
          wholly();
          showMoment('');
        }

        /// The style that heat is shown in: the chosen one, or that from before a single track was shown.
        export const heatStyle = () => state.back ? new URLSearchParams(state.back).get('style') || 'heat' : state.style;

        """#
}
