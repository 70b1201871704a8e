import { byId, coveredBelow, COVERS, coveredSoon, element, hiddenBelow, timelinePixels } from './document.js';
import { corners, nearestLongitude } from './mercator.js';
import { drawGrid, makeGrid } from './basemap.js';
import { makeTiles } from './tiles.js';
import { remember } from './state.js';
import { isImperial } from './text.js';

const MAX_ZOOM = 22;
/// Bounding boxes are shown at most at this zoom level.
const MAX_FIT_ZOOM = 16;
/// The map follows a marker that comes closer to an edge than this share of the map.
const MARGIN = 0.12;
/// The space around a box that is shown. Zoom levels are whole: with more, a box would often be shown at half the size.
const FIT_PIXELS = 20;
/// From so many covered pixels more or less on, the map shows a box anew.
const MOVING_PIXELS = 40;
/// A click counts when no second one has followed in this time.
const DOUBLE_CLICK_MS = 250;
/// How long a movement to a marker lasts, and the least time between two fits to several markers: otherwise the map
/// would zoom all the time.
const PAN_SECONDS = 0.5, FITTING_MS = 1500;

let map = null, scale = null, tiles = null, regularTemplate = '', momentTemplate = '', isOpened = false;
let fitting = 0, keptNext = null;
/// Shows again what the map was moved to, after its size has changed; null if the reader has moved it since.
let fitAgain = null, isFitting = false, openPopUp = null;
const takers = [];

/// Whether Leaflet is there; without it the page shows a fixed picture.
export const isMovable = () => Boolean(window.L);
/// The zoom level; null before the map shows a place.
export const currentZoom = () => map && isOpened ? map.getZoom() : null;

/// Makes the map, at `view` if there is one. Calls `moved` after each move, and `selected` with a place that was
/// clicked, or chosen with the keyboard.
export function makeMap(view, { moved, selected }) {
  // `worldCopyJump` brings the map back to the first copy of the world, the only one in which pop-ups and outlines are.
  map = L.map('map', { worldCopyJump: true, maxZoom: MAX_ZOOM, zoomControl: false });
  map.attributionControl.setPrefix(false).setPosition('bottomleft');
  L.control.zoom({ position: 'topleft' }).addTo(map);
  showScale();
  makeGrid(map);
  let before = timelinePixels();
  const settled = () => {
    const { style } = document.documentElement, bottom = coveredBelow();
    style.setProperty('--covered', bottom + 'px');
    style.setProperty('--hidden-below', hiddenBelow() + 'px');
    if (!isOpened) return;
    drawGrid(map, bottom);
    // The player has appeared, or the timeline was folded; a line of text more is no reason to move.
    if (Math.abs(coveredSoon() - before) < MOVING_PIXELS) return;
    before = coveredSoon();
    fitAgain?.();
  };
  map.on('moveend', () => {
    settled();
    remember();
    moved();
  });
  const observer = new ResizeObserver(settled);
  for (const id of COVERS) observer.observe(byId(id));
  // Panels push the map, which goes on to show what it showed.
  new ResizeObserver(resized).observe(byId('map'));
  map.on('movestart', () => { if (!isFitting) fitAgain = null; });
  const choose = async (place, isByKey = false) => {
    for (const take of takers) if (await take?.(place)) return;
    selected(place, isByKey);
  };
  // The first click of a double click, which zooms, selects nothing.
  let clicking = 0;
  map.on('click', (event) => {
    clearTimeout(clicking);
    clicking = setTimeout(choose, DOUBLE_CLICK_MS, event.latlng);
  });
  map.on('dblclick', () => clearTimeout(clicking));
  // Leaflet sets the focus by script, which browsers show like a focus set by keyboard.
  const root = document.documentElement.dataset;
  addEventListener('keydown', () => { root.keys = '1'; }, true);
  addEventListener('pointerdown', () => { delete root.keys; }, true);
  byId('map').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === byId('map')) choose(middle(), true);
  });
  moveTo(view);
  return map;
}

/// The middle of the map, or of its visible part if a panel covers half of it.
function middle() {
  const { x, y } = map.getSize();
  return map.containerPointToLatLng([x / 2, (y - hiddenBelow()) / 2]);
}

/// Takes the size that the page gives the map.
function resized() {
  if (!isOpened) return;
  map.invalidateSize({ animate: false });
  fitAgain?.();
}

/// Moves to bounds, and does so again when the size of the map changes.
function fit(bounds, options) {
  isOpened = true;
  fitAgain = () => {
    isFitting = true;
    map.fitBounds(bounds, { ...options(), animate: false });
    isFitting = false;
  };
  map.invalidateSize({ animate: false });
  fitAgain();
}

/// Shows the scale in the reader's units.
export function showScale() {
  // A scale that is removed before the map shows a place makes Leaflet fail later.
  map?.whenReady(() => {
    if (scale) scale.remove();
    scale = L.control.scale({ position: 'bottomleft', metric: !isImperial(), imperial: isImperial() }).addTo(map);
  });
}

/// Moves to [zoom level, latitude, longitude].
export function moveTo(view) {
  if (!map || !view) return;
  isOpened = true;
  map.setView([view[1], view[2]], view[0]);
}

/// Moves to a place, [latitude, longitude], at least to a zoom level.
export function moveTowards(place, zoom) {
  moveTo([Math.max(currentZoom() ?? 0, zoom), ...place]);
}

/// The view, [zoom level, latitude, longitude]; null before the map shows a place.
export function currentView() {
  if (!map || !isOpened) return null;
  const { lat, lng } = map.getCenter();
  return [map.getZoom(), lat, lng];
}

/// The part of the map that nothing covers: its `box`, [west, south, east, north], and its `size` in pixels; null before
/// the map shows a place.
export function visiblePart() {
  if (!map || !isOpened) return null;
  map.invalidateSize({ animate: false });
  const { x: width, y } = map.getSize(), height = Math.max(1, y - coveredBelow());
  const south = map.containerPointToLatLng([0, height]), north = map.containerPointToLatLng([width, 0]);
  return { box: [south.lng, south.lat, north.lng, north.lat], size: [width, height] };
}

/// Draws the grid again, as the state has it.
export function redrawGrid() {
  if (map && isOpened) drawGrid(map, coveredBelow());
}

/// Moves to the bounds and the centre of a TileJSON.
export function show({ bounds, center }) {
  if (!map) return;
  const [west, , east] = bounds;
  const [longitude, latitude, zoom] = center;
  // Bounds around the whole world cannot be fitted without showing it twice on wide screens.
  if (east - west >= 360) {
    isOpened = true;
    // Without tracks, the server names no zoom level: then the world fills the map.
    map.setView([zoom ? latitude : 25, longitude], zoom || Math.ceil(Math.log2(Math.max(256, map.getSize().x) / 256)));
    return;
  }
  fit(corners(bounds), () => ({ maxZoom: MAX_FIT_ZOOM, paddingBottomRight: [0, coveredSoon()] }));
}

/// The zoom level at which the map can show all of a box.
export const zoomOf = (box) => map.getBoundsZoom(corners(box));

/// Moves to a box [west, south, east, north], which may cross 180°; false if there is no map.
export function showBox(box, maxZoom = MAX_FIT_ZOOM) {
  if (!map) return false;
  fit(corners(box), () => ({ ...paddings(), maxZoom }));
  return true;
}

/// Options that keep a box away from the edges of the visible part of the map.
function paddings() {
  return { paddingTopLeft: [FIT_PIXELS, FIT_PIXELS], paddingBottomRight: [FIT_PIXELS, FIT_PIXELS + coveredSoon()] };
}

/// Moves the map if places, [longitude, latitude], are about to leave the visible part; zooms out to show all of them
/// if `isMany`.
export function keepInView(places, isMany) {
  if (!map || !isOpened || places.length === 0) return;
  const { x: width, y } = map.getSize(), height = y - coveredBelow();
  const points = places.map(([longitude, latitude]) => {
    return map.latLngToContainerPoint([latitude, nearestLongitude(longitude, map.getCenter().lng)]);
  });
  const isWithin = (value, size) => value > size * MARGIN && value < size * (1 - MARGIN);
  const isIn = ({ x, y }) => isWithin(x, width) && isWithin(y, height);
  if (points.every(isIn)) return;
  if (isMany && points.length > 1) {
    if (performance.now() < fitting) return;
    fitting = performance.now() + FITTING_MS;
    const [first] = places;
    map.fitBounds(places.map(([longitude, latitude]) => [latitude, nearestLongitude(longitude, first[0])]), {
      ...paddings(), maxZoom: map.getZoom(),
    });
    return;
  }
  // While the map is moving, the places wait until it has arrived; over long distances, Leaflet moves at once.
  if (map.getContainer().querySelector('.leaflet-pan-anim')) {
    if (!keptNext) map.once('moveend', keepNext);
    keptNext = [places, isMany];
    return;
  }
  const [point] = points;
  map.panBy([point.x - width / 2, point.y - height / 2], { duration: PAN_SECONDS, easeLinearity: 0.6 });
}

function keepNext() {
  const next = keptNext;
  keptNext = null;
  if (next) keepInView(...next);
}

/// Leaflet's map, for panels that draw on it; null without Leaflet.
export const leafletMap = () => map;
/// Whether the map has never shown a place.
export const isNew = () => !isOpened;
/// Makes the next TileJSON move the map.
export function forget() {
  isOpened = false;
}

const sharp = (url) => url.replace('.png', L.Browser.retina ? '@2x.png' : '.png');

function showTemplate() {
  const template = momentTemplate || regularTemplate;
  if (!template || !tiles) return Promise.resolve();
  tiles.setTemplate(sharp(template));
  if (map.hasLayer(tiles.layer)) return tiles.renew();
  tiles.layer.addTo(map);
  return Promise.resolve();
}

/// Shows the tiles of a TileJSON.
export function showTiles(tileJSON) {
  regularTemplate = tileJSON.tiles[0];
  if (!tiles) {
    tiles = makeTiles({
      minZoom: tileJSON.minzoom, maxZoom: MAX_ZOOM, maxNativeZoom: tileJSON.maxzoom,
      // Leaflet takes HTML, but the server gives a text: the element escapes it.
      attribution: tileJSON.attribution ? element('span', '', tileJSON.attribution).innerHTML : '',
    });
  }
  if (!momentTemplate || !map.hasLayer(tiles.layer)) showTemplate();
}

/// Shows the tiles of a moment instead, or the regular ones again if `template` is ''. `test` says which of the tiles on
/// the map, {x, y, z}, differ from those of the moment before. Resolves when all have been loaded.
export function showMoment(template, test) {
  if (momentTemplate === template) return Promise.resolve();
  const isNext = momentTemplate && template && test;
  momentTemplate = template;
  if (!isNext) return showTemplate();
  tiles.setTemplate(sharp(template));
  return tiles.renew(test);
}

/// Loads the tiles of a revision for which `test`, given {x, y, z}, is true.
export function renewTiles(revision, test) {
  // Another URL, so that the browser does not use its cache.
  regularTemplate = regularTemplate.replace(/([?&]v=)[^&]*/, '$1' + encodeURIComponent(revision));
  if (!tiles || momentTemplate) return;
  tiles.setTemplate(sharp(regularTemplate));
  tiles.renew(test);
}

/// Shows no tiles, because what they showed does not exist any more.
export function clearTiles() {
  regularTemplate = '';
  if (tiles && !momentTemplate) map.removeLayer(tiles.layer);
}

/// Offers clicks to `take`, those of lower ranks first; it returns a promise of whether it has handled the click.
export function offerClicks(rank, take) {
  takers[rank] = take;
}

/// Opens a pop-up at a place of the map.
export function popUp(place, content) {
  openPopUp = L.popup({ maxWidth: 260, minWidth: 180, autoPanPaddingTopLeft: [5, 5], autoPanPaddingBottomRight: [5, coveredBelow()] })
    .setLatLng(place).setContent(content).openOn(map);
}

/// Closes the pop-up; true if one was open.
export function closePopUp() {
  const wasOpen = Boolean(openPopUp?.isOpen());
  map?.closePopup();
  return wasOpen;
}
