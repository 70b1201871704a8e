import { known, state } from './state.js';
import { byId } from './document.js';
import { keptBase, listenToBaseLayer, makeBaseLayer, showBaseLayer } from './base-layer.js';
import { wrapLongitude } from './mercator.js';
import { degreesText } from './text.js';

/// Degrees between two lines of the grid.
const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
const MIN_STEP_PIXELS = 140;
/// The map's buttons cover the first height at the top left, the scale and the label of a longitude the second one at the
/// bottom.
const COVERED_PIXELS = 320, SCALE_PIXELS = 56;
/// The credit of the base map covers this width at the bottom left.
const CREDIT_PIXELS = 100;

let grid = null, renderer = null;

/// Applies the background colour: the selected one, or the one that the browser prefers.
function applyBackground() {
  const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const background = state.background || preferred;
  document.documentElement.dataset.background = background;
  known.theme = background === 'dark' ? 'dark' : '';
}

/// Creates the base map, and the grid of longitudes and latitudes below all other tiles.
export function makeGrid(map) {
  makeBaseLayer(map);
  map.createPane('graticule').style.zIndex = 150;
  grid = L.layerGroup().addTo(map);
  renderer = L.svg({ pane: 'graticule', padding: 0.5 });
}

/// Draws the grid for the current view; the panel and the player cover `bottom` pixels of the map.
export function drawGrid(map, bottom) {
  grid.clearLayers();
  if (state.grid !== '1') return;
  const bounds = map.getBounds().pad(0.5);
  const pixels = map.getSize().x / (map.getBounds().getEast() - map.getBounds().getWest());
  const step = STEPS.findLast((candidate) => candidate * pixels >= MIN_STEP_PIXELS) || STEPS[0];
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const west = bounds.getWest(), east = bounds.getEast();
  const south = Math.max(bounds.getSouth(), -85), north = Math.min(bounds.getNorth(), 85);
  const corner = map.containerPointToLatLng([0, map.getSize().y - bottom]);
  const addLine = (from, to) => grid.addLayer(
    L.polyline([from, to], { className: 'graticule', weight: 1, interactive: false, renderer }));
  const addLabel = (place, text, anchor) => grid.addLayer(L.marker(place, {
    interactive: false, keyboard: false, pane: 'graticule',
    icon: L.divIcon({ className: 'degrees', html: text, iconSize: null, iconAnchor: anchor }),
  }));
  for (let k = Math.ceil(west / step); k * step <= east; k++) {
    const longitude = k * step;
    addLine([south, longitude], [north, longitude]);
    const { x } = map.latLngToContainerPoint([corner.lat, longitude]);
    if (x > CREDIT_PIXELS) {
      addLabel([corner.lat, longitude], degreesText(wrapLongitude(longitude), digits, 'E', 'W'), [-4, 18]);
    }
  }
  for (let k = Math.ceil(south / step); k * step <= north; k++) {
    addLine([k * step, west], [k * step, east]);
    // No label below the buttons in the corner, and none at the scale.
    const { y } = map.latLngToContainerPoint([k * step, west]);
    if (y < COVERED_PIXELS || y > map.getSize().y - bottom - SCALE_PIXELS) continue;
    addLabel([k * step, corner.lng], degreesText(k * step, digits, 'N', 'S'), [-4, 16]);
  }
}

/// Lets the reader choose background and grid; `changed` is called after each change.
export function listenToBasemap(changed) {
  if (!state.base) state.base = keptBase();
  listenToBaseLayer();
  byId('base').addEventListener('change', changed);
  for (const radio of document.getElementsByName('background')) {
    radio.addEventListener('change', () => {
      state.background = radio.value;
      changed();
    });
  }
  byId('grid').addEventListener('change', () => {
    state.grid = byId('grid').checked ? '1' : '0';
    changed();
  });
}

/// Shows background and grid as the state has them.
export function showBasemap() {
  applyBackground();
  showBaseLayer();
  const shown = document.documentElement.dataset.background;
  for (const radio of document.getElementsByName('background')) radio.checked = radio.value === shown;
  byId('grid').checked = state.grid === '1';
}
