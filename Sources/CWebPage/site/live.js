import { state } from './state.js';
import { byId, element, swatch } from './document.js';
import { follow } from './stream.js';
import { loadZone, timeText } from './calendar.js';
import { speedText } from './text.js';
import * as map from './map.js';

const KINDS = ['point', 'tiles'];
const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy]));
/// The zoom level at which the first marker is shown, if the map is further out.
const LIVE_ZOOM = 15;
/// The length of a device's trail.
const TRAIL_MS = 30 * 60_000;
/// The number of devices that are listed by name.
const LISTED_DEVICES = 4;

let markers = null, stream = null, zoom = null, devices = new Map(), isWaiting = false, isLocated = false;
let shownRevision = null;

/// Sets the markers that move on the map.
export function makeLive(own) {
  markers = own;
}

/// Whether the page follows what is being recorded.
const isLive = () => state.live === '1' && !state.play;

/// Whether the tiles on the map are already those of a revision.
export const showsRevision = (revision) => Boolean(stream) && shownRevision === revision;

/// Starts or stops, according to the state.
export function showLive() {
  const toggle = byId('live');
  toggle.setAttribute('aria-pressed', String(isLive()));
  byId('live-row').hidden = !isLive();
  byId('live-follow').checked = state.follow === '1';
  if (isLive() === Boolean(stream)) return;
  if (!isLive()) {
    stream.close();
    stream = null;
    devices = new Map();
    markers.clear();
    return;
  }
  isLocated = false;
  // Until the zone is known, times are in UTC.
  loadZone().catch(() => {});
  markers.clear();
  markers.setTrail(TRAIL_MS);
  showStatus('Waiting for points…');
  listen();
}

/// Opens the stream of points, and of changed tiles of the current zoom level.
function listen() {
  const before = stream;
  zoom = map.currentZoom();
  stream = follow('v1/live', { tiles: zoom ?? undefined, newest: '1' }, KINDS, {
    // The previous stream is kept until this one is open.
    opened: () => before?.close(),
    event(kind, value) {
      if (kind === 'point') take(value);
      else renew(value);
    },
    lost(why) {
      // Changes during the interruption are not reported.
      shownRevision = null;
      showStatus(why || 'Reconnecting…');
    },
    back: showDevices,
    refused(error) {
      before?.close();
      stream = null;
      state.live = '';
      showLive();
      showStatus(error.message);
      byId('live-row').hidden = false;
    },
    over() {},
  });
}

/// Opens another stream if the zoom level has changed, because the tiles are different.
export function zoomLive() {
  if (stream && map.currentZoom() !== zoom) listen();
}

function take(point) {
  const known = devices.get(point.device);
  // A late point is in the tiles; the marker does not move back.
  if (known && point.t <= known.t) return;
  if (known && point.t - known.t > TRAIL_MS) markers.interrupt(point.device);
  devices.set(point.device, point);
  markers.move(point.device, point.p, point.t, point.c);
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    if (!stream) return;
    showDevices();
    if (state.follow !== '1') return;
    if (!isLocated && map.currentZoom() < LIVE_ZOOM - 1) map.moveTo([LIVE_ZOOM, point.p[1], point.p[0]]);
    isLocated = true;
    map.keepInView(markers.places(), devices.size > 1);
  });
}

function renew({ rev, z, tiles, all }) {
  shownRevision = rev;
  if (all) {
    map.renewTiles(rev);
    return;
  }
  // The pictures of neighbours change, too, because heat is soft.
  const named = new Set(tiles.flatMap(([x, y]) => AROUND.map(([dx, dy]) => (x + dx) + '/' + (y + dy))));
  map.renewTiles(rev, (tile) => {
    const deeper = tile.z - z;
    if (deeper >= 0) return named.has((tile.x >> deeper) + '/' + (tile.y >> deeper));
    return tiles.some(([x, y]) => x >> -deeper === tile.x && y >> -deeper === tile.y);
  });
}

function showDevices() {
  if (devices.size === 0) {
    showStatus('Waiting for points…');
    return;
  }
  const lines = [...devices].slice(-LISTED_DEVICES).map(([device, { t, v }]) => {
    const facts = [timeText(t), ...v === undefined ? [] : [speedText(v)]];
    return element('span', 'device', swatch(markers.color(device)), device + ': ' + facts.join(', '));
  });
  byId('live-status').replaceChildren(...lines);
}

function showStatus(text) {
  byId('live-status').textContent = text;
}
