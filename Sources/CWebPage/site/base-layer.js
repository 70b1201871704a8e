import { known, state } from './state.js';
import { byId, element } from './document.js';
import { address, get } from './server.js';

/// The deepest zoom levels: of the map, and of land, whose outlines are made for level 8. From level 12 on, one would see
/// that they are inexact.
const DEEPEST = 22, DEEPEST_LAND = 11;
const NO_MAP = 'none';
/// Where the choice is kept between visits.
const KEPT = 'tileserve.base';

let map = null, isReady = false, layers = [], shown = '', external = [];
/// What the server says of its own base map.
let own = { attribution: 'Natural Earth', streets: false };

/// Creates the panes: land below the grid and all other tiles, names above them.
export function makeBaseLayer(leafletMap) {
  map = leafletMap;
  map.createPane('base').style.zIndex = 100;
  const names = map.createPane('names');
  names.style.zIndex = 350;
  names.style.pointerEvents = 'none';
  // Not at once: the tiles of the tracks are made and requested first.
  map.whenReady(() => setTimeout(() => {
    isReady = true;
    showBaseLayer();
  }));
}

/// The choice of an earlier visit; '' for the built-in map.
export function keptBase() {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    // Storage can be forbidden.
    return '';
  }
}

function builtIn(theme) {
  // Names in the reader's language, which only archives know.
  const language = own.streets ? { lang: navigator.language } : {};
  const tiles = (parameters, pane, maxZoom, attribution) => L.tileLayer(
    address('tiles/base/{z}/{x}/{y}' + (L.Browser.retina ? '@2x' : '') + '.png', { theme, ...parameters }),
    { pane, attribution, maxZoom });
  return [tiles({ show: 'land' }, 'base', own.streets ? DEEPEST : DEEPEST_LAND, ''),
    tiles({ show: 'names', ...language }, 'names', DEEPEST, credit(own.attribution))];
}

/// An attribution as text, without its links.
const credit = (html) => element('span', '', new DOMParser().parseFromString(html, 'text/html').body.textContent).innerHTML;

/// A base map of an archive or another server. Its maker is named, as licences want it; without an attribution by the name that
/// the operator has given.
function otherLayer({ url, name, attribution, minzoom, maxzoom }) {
  return L.tileLayer(url, {
    pane: 'base', minZoom: minzoom ?? 0, maxZoom: DEEPEST, maxNativeZoom: maxzoom, attribution: credit(attribution ?? name),
  });
}

/// The styles that show tracks. Archives are listed with them, and are base maps.
export const withoutArchives = (styles) => styles.filter(({ kind }) => kind !== 'raster' && kind !== 'vector');

/// Shows the base map that the state names, in the theme of the background.
export function showBaseLayer() {
  byId('base').value = state.base;
  if (!isReady) return;
  const theme = known.theme || 'light';
  const other = external.find(({ name }) => name === state.base);
  const wanted = other ? 'url ' + other.url : state.base ? NO_MAP : theme;
  if (wanted === shown) return;
  shown = wanted;
  for (const layer of layers) layer.remove();
  if (other) layers = [otherLayer(other)];
  else layers = wanted === NO_MAP ? [] : builtIn(theme);
  for (const layer of layers) layer.addTo(map);
}

/// Lets the reader choose a base map.
export function listenToBaseLayer() {
  byId('base').addEventListener('change', () => {
    state.base = byId('base').value;
    try {
      localStorage.setItem(KEPT, state.base);
    } catch {
      // The choice holds until the page is left.
    }
  });
}

/// Offers the base maps of other servers that the operator has named.
export async function loadBaseMaps() {
  const { basemaps, builtin } = await get('v1/basemaps');
  external = basemaps;
  if (builtin.streets !== own.streets) shown = '';
  own = builtin;
  for (const option of byId('base').querySelectorAll('[data-external]')) option.remove();
  for (const { name } of external) {
    const option = element('option', '', name);
    option.value = name;
    option.dataset.external = '1';
    byId('base').append(option);
  }
  showBaseLayer();
}
