extension Page {
    /// Live: dots where devices are now, and tiles as they change.
    static let liveScript = #"""
        import { byId, element, state } from './state.js';
        import { follow } from './stream.js';
        import { askZone, knownZone } from './calendar.js';
        import * as map from './map.js';

        const KINDS = ['point', 'tiles'];
        /// As near the map comes to the first dot.
        const CLOSE = 15;
        /// How long a device's trail is.
        const TRAIL_MS = 30 * 60_000;
        /// Devices that are told by name.
        const TOLD = 4;

        let dots = null, stream = null, zoom = null, devices = new Map(), isWaiting = false, hasCome = false, told = null;

        /// Lets dots move on a map.
        export function makeLive(own) {
          dots = own;
        }

        /// Whether the page goes along with what is recorded now.
        export const isLive = () => state.live === '1' && !state.play;

        /// Whether the tiles on the map have been exchanged for those of a revision.
        export const hasTold = (revision) => Boolean(stream) && told === revision;

        /// Takes up what the state says.
        export function showLive() {
          const button = byId('live');
          button.setAttribute('aria-pressed', String(isLive()));
          byId('live-row').hidden = !isLive();
          byId('live-follow').checked = state.follow === '1';
          if (isLive() === Boolean(stream)) return;
          if (!isLive()) {
            stream.close();
            stream = null;
            devices = new Map();
            dots.clear();
            return;
          }
          hasCome = false;
          // Until it is known, times are in UTC.
          askZone().catch(() => {});
          dots.clear();
          dots.setTrail(TRAIL_MS);
          tell('Waiting for points …');
          listen();
        }

        /// Hears of points, and of the tiles of the zoom level shown: only they tell all that changes on it.
        function listen() {
          const before = stream;
          zoom = map.zoomShown();
          stream = follow('v1/live', { tiles: zoom ?? undefined }, KINDS, {
            // The one before is heard until this one is there.
            opened: () => before?.close(),
            event(kind, value) {
              if (kind === 'point') take(value);
              else renew(value);
            },
            lost(why) {
              // What changes meanwhile is not told.
              told = null;
              tell(why || 'Reconnecting …');
            },
            back: tellDevices,
            refused(error) {
              before?.close();
              stream = null;
              state.live = '';
              showLive();
              tell(error.message);
              byId('live-row').hidden = false;
            },
            over() {},
          });
        }

        /// Another zoom level has other tiles.
        export function zoomLive() {
          if (stream && map.zoomShown() !== zoom) listen();
        }

        function take(point) {
          const known = devices.get(point.device);
          // A late point is in the tiles; the dot does not go back for it.
          if (known && point.t <= known.t) return;
          if (known && point.t - known.t > TRAIL_MS) dots.interrupt(point.device);
          devices.set(point.device, point);
          dots.move(point.device, point.p, point.t, point.c);
          if (isWaiting) return;
          isWaiting = true;
          requestAnimationFrame(() => {
            isWaiting = false;
            if (!stream) return;
            tellDevices();
            if (state.follow !== '1') return;
            if (!hasCome && map.zoomShown() < CLOSE - 1) map.moveTo([CLOSE, point.p[1], point.p[0]]);
            hasCome = true;
            map.keepInView(dots.places(), devices.size > 1);
          });
        }

        function renew({ rev, z, tiles, all }) {
          told = rev;
          if (all) {
            map.renewTiles(rev);
            return;
          }
          const named = new Set(tiles.map(([x, y]) => x + '/' + y));
          map.renewTiles(rev, (tile) => {
            const deeper = tile.z - z;
            if (deeper >= 0) return named.has((tile.x >> deeper) + '/' + (tile.y >> deeper));
            return tiles.some(([x, y]) => x >> -deeper === tile.x && y >> -deeper === tile.y);
          });
        }

        function tellDevices() {
          if (devices.size === 0) {
            tell('Waiting for points …');
            return;
          }
          const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', timeZone: knownZone() });
          const lines = [...devices].slice(-TOLD).map(([device, { t, v }]) => {
            const color = element('i');
            color.style.background = dots.color(device);
            const speed = v === undefined ? '' : ', ' + (v * 3.6).toFixed(v < 2.7 ? 1 : 0) + ' km/h';
            return element('span', 'device', color, device + ': ' + time.format(t) + speed);
          });
          byId('live-told').replaceChildren(...lines);
        }

        function tell(text) {
          byId('live-told').textContent = text;
        }

        /// Lets the reader switch it on and off; `changed` is called when it was.
        export function listenToLive(changed) {
          byId('live').addEventListener('click', () => {
            state.live = isLive() ? '' : '1';
            changed();
          });
          byId('live-follow').addEventListener('change', () => {
            state.follow = byId('live-follow').checked ? '1' : '0';
            changed();
          });
        }

        """#
}
