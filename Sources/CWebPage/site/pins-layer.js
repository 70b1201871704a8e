import { known, parameters, selectionParameters, state } from './state.js';
import { address, get } from './server.js';
import { leafletMap, offerClicks } from './map.js';
import { bubbleAt, cellBox } from './pins-text.js';

const MAX_ZOOM = 22, TILE = 256;

let layer = null, shown = '', changes = 0, actions = null;

/// The parameters that select pins: the layer and the period of the map, and the filters of the list of pins.
export const pinParameters = (more = {}) => ({
  ...parameters(selectionParameters),
  category: state.category || undefined, source: state.kind || undefined, hours: state.hours || undefined,
  months: state.months || undefined, ...more,
});

/// Shows the pins on the map if the state says so.
export function showPins(given = actions) {
  const map = leafletMap();
  if (!map) return;
  actions = given;
  // Pins do not change the revision of the library: `changes` makes new URLs after this page has changed one.
  const query = pinParameters({ theme: known.theme || undefined, v: `${known.revision}.${changes}` });
  const wanted = state.pins ? address('tiles/pins/{z}/{x}/{y}' + (L.Browser.retina ? '@2x' : '') + '.png', query) : '';
  if (wanted === shown) return;
  shown = wanted;
  layer?.remove();
  if (!map.getPane('pins')) {
    map.createPane('pins').style.zIndex = 360;
    map.getPane('pins').style.pointerEvents = 'none';
    offerClicks(1, openPins);
  }
  layer = wanted ? L.tileLayer(wanted, { pane: 'pins', maxZoom: MAX_ZOOM }).addTo(map) : null;
}

/// Requests the pins again after this page has changed one.
export function pinsChanged() {
  changes += 1;
  showPins();
}

/// Opens the pins at a place that was clicked; false if there are none.
async function openPins(place) {
  const map = leafletMap();
  if (!layer) return false;
  const z = Math.round(map.getZoom()), side = 2 ** z;
  const point = map.project(place.wrap(), z);
  const tile = { z, x: Math.floor(point.x / TILE), y: Math.floor(point.y / TILE) };
  if (tile.x < 0 || tile.y < 0 || tile.x >= side || tile.y >= side) return false;
  const pixel = [point.x - tile.x * TILE, point.y - tile.y * TILE];
  const { bubbles } = await get(`tiles/pins/${z}/${tile.x}/${tile.y}.json`, pinParameters()).catch(() => ({ bubbles: [] }));
  const bubble = bubbleAt(bubbles, pixel);
  if (!bubble) return false;
  if (bubble.count === 1) {
    state.pin = bubble.pins[0];
    actions.open('pin');
  } else {
    state.box = cellBox(tile, bubble.px).join(',');
    actions.open('pins');
  }
  return true;
}
