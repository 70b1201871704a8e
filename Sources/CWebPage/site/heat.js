import { known, parameters, state } from './state.js';
import { address } from './server.js';
import { worldPoint } from './mercator.js';
import { currentZoom, showMoment } from './map.js';

/// After the tiles were loaded, they are requested again after this time at the earliest, or after twice the time that it
/// took to load them, if that is longer.
const PAUSE_MS = 1000;
/// Heat is soft: the picture of a tile also shows lines outside of it, up to this share of its width away.
const MARGIN = 0.07;
/// If more tiles have changed, all are requested.
const MAX_CHANGED = 400;

let changed = new Set(), changedZoom = null, isAll = true, isBusy = false, next = 0, shownInstant = null;
const last = new Map();

/// Notes that the heat changes between the last place of a marker and [longitude, latitude].
export function markChanged(key, place) {
  if (isAll) return;
  const zoom = currentZoom();
  if (zoom !== changedZoom) {
    invalidateAll();
    return;
  }
  const side = 2 ** zoom;
  // At deeper zoom levels than those of the grid, its cells are enlarged.
  const margin = Math.min(1, MARGIN * 2 ** Math.max(0, zoom - 17));
  const [x, y] = worldPoint(place).map((share) => share * side);
  const [fromX, fromY] = last.get(key) ?? [x, y];
  last.set(key, [x, y]);
  const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) * 8) || 1;
  if (steps > MAX_CHANGED || changed.size > MAX_CHANGED) {
    invalidateAll();
    return;
  }
  for (let step = 0; step <= steps; step++) {
    const [atX, atY] = [fromX + (x - fromX) * step / steps, fromY + (y - fromY) * step / steps];
    for (const column of [atX - margin, atX + margin]) {
      for (const row of [atY - margin, atY + margin]) {
        changed.add(((Math.floor(column) % side) + side) % side + '/' + Math.floor(row));
      }
    }
  }
}

/// Makes the next `showHeat` request all tiles.
export function invalidateAll() {
  isAll = true;
  next = 0;
  changed.clear();
  last.clear();
}

/// The style for heat: the current one, or the one from before a single track was selected.
const heatStyle = () => state.back ? new URLSearchParams(state.back).get('style') || 'heat' : state.style;

/// The URL template of tiles with the heat of everything recorded until an instant.
export const heatTemplate = (instant) => address('tiles/' + encodeURIComponent(heatStyle()) + '/{z}/{x}/{y}.png', {
  ...parameters(['layer', 'ramp']), theme: known.theme || undefined, asof: new Date(instant).toISOString(),
  v: known.revision,
});

/// Shows the heat of everything recorded until an instant, unless the last request is too recent.
export function showHeat(instant) {
  if (isBusy || performance.now() < next || instant === shownInstant && !isAll) return;
  const template = heatTemplate(instant);
  const zoom = currentZoom(), some = isAll || zoom !== changedZoom ? null : changed;
  shownInstant = instant;
  [changed, changedZoom, isAll, isBusy] = [new Set(), zoom, false, true];
  const began = performance.now();
  showMoment(template, some ? ({ x, y, z }) => z !== zoom || some.has(x + '/' + y) : undefined).finally(() => {
    isBusy = false;
    next = performance.now() + Math.max(PAUSE_MS, 2 * (performance.now() - began));
  });
}

/// Shows the regular tiles again.
export function hideHeat() {
  shownInstant = null;
  invalidateAll();
  showMoment('');
}
