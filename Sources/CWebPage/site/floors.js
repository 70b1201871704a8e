import { known, remember, state } from './state.js';
import { button, byId, element } from './document.js';
import { address } from './server.js';
import { leafletMap, offerClicks, visiblePart } from './map.js';
import { floorsOf, groundFloor, isWithin, metresBetween, venueInView } from './venue-text.js';
import { knownVenues, nameLanguage, placesOf, roomAt, setVenues } from './venue-data.js';

// The floors of venues on the map, and the switch between them.

const MIN_ZOOM = 15, MAX_ZOOM = 22;
/// A click selects a place whose point is at most so many pixels away; else the room that is clicked.
const REACH_PIXELS = 14;

let layer = null, outdated = [], shown = '', versions = 0, actions = null, venue = null, floors = [], switched = '';
/// The levels of the way that is shown, and its id if it is drawn on the tiles.
let routeLevels = new Set(), directions = '', listed = '';
const listeners = new Set();

/// The venue that the map shows; null if there is none, or if the map shows too much of the world.
export const shownVenue = () => venue;

/// The floor of the venue that the map shows; null without a venue.
export const shownFloor = () => venue && (floors.find(({ ordinal }) => String(ordinal) === state.level) ?? groundFloor(floors));

/// Calls `changed` whenever another venue or another floor is shown; the returned function ends that.
export function onFloor(changed) {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/// Shows a floor, given by its ordinal.
export function showFloor(ordinal) {
  state.level = String(ordinal);
  remember();
  showFloors();
}

/// Draws on the floors a way that the server knows by an id ('' for none), and marks its levels in the switch.
export function showWayOnFloors(id, levels) {
  [directions, routeLevels] = [id, new Set(levels)];
  switched = '';
  showFloors();
}

/// Whether the floors show a way.
export const drawsWay = () => Boolean(directions);

/// Makes the layer of floors. `list` are the venues of the library.
export function startFloors(given, list) {
  const map = leafletMap();
  actions = given;
  // Opening the panel again must not load all tiles again.
  const text = JSON.stringify(list);
  if (text === listed) return;
  listed = text;
  setVenues(list);
  versions += 1;
  if (!map.getPane('floors')) {
    map.createPane('floors').style.zIndex = 300;
    map.getPane('floors').style.pointerEvents = 'none';
    map.on('moveend', showFloors);
    offerClicks(2, openRoom);
    byId('floor-buttons').addEventListener('keydown', useArrows);
    // Floors have colours for dark backgrounds.
    new MutationObserver(showFloors).observe(document.documentElement, { attributeFilter: ['data-background'] });
  }
  shown = switched = '';
  showFloors();
}

/// The venue in the visible part of the map; else one below a panel, so that its floors are there when that closes.
function venueOn(map, visible) {
  const bounds = map.getBounds(), whole = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  const inView = (box) => venueInView(knownVenues(), box, state.venue);
  return inView(visible) ?? inView(whole);
}

/// Shows the floors that the state names.
export function showFloors() {
  const map = leafletMap(), part = visiblePart();
  venue = part && map.getZoom() >= MIN_ZOOM ? venueOn(map, part.box) : null;
  floors = venue ? floorsOf(venue) : [];
  showLayer(map);
  showSwitch();
}

function showLayer(map) {
  const floor = shownFloor();
  // Without a choice, each building shows its floor nearest to the ground.
  const isChosen = floor && String(floor.ordinal) === state.level;
  const wanted = floor ? address('tiles/floor/{z}/{x}/{y}' + (L.Browser.retina ? '@2x' : '') + '.png', {
    ordinal: isChosen || directions ? floor.ordinal : undefined, theme: known.theme || undefined, lang: nameLanguage(),
    directions: directions || undefined, v: versions > 1 ? `${known.revision}.${versions}` : undefined,
  }) : '';
  if (wanted === shown) return;
  shown = wanted;
  if (layer) outdated.push(layer);
  layer = null;
  if (!wanted) {
    removeOutdated();
    return;
  }
  const made = layer = L.tileLayer(wanted, { pane: 'floors', minZoom: MIN_ZOOM, maxZoom: MAX_ZOOM }).addTo(map);
  // The former floor stays until the next one is there, so that the map does not flicker.
  made.once('load', () => { if (made === layer) removeOutdated(); });
  // The server may have forgotten the way; floors are more important.
  if (directions) made.once('tileerror', () => { if (made === layer) showWayOnFloors('', routeLevels); });
}

function removeOutdated() {
  for (const one of outdated.splice(0)) one.remove();
}

function showSwitch() {
  const box = byId('floor-buttons'), floor = shownFloor();
  const key = JSON.stringify([venue?.id, floor?.ordinal]);
  if (key === switched) return;
  const isOther = JSON.parse(switched || '[]')[0] !== venue?.id || !switched;
  switched = key;
  byId('floors').hidden = floors.length < 2;
  if (isOther) box.replaceChildren(...floors.map(floorButton));
  for (const [index, one] of [...box.children].entries()) {
    const isShown = floors[index] === floor;
    one.setAttribute('aria-pressed', String(isShown));
    // One stop of the Tab key; arrow keys go on from there.
    one.tabIndex = isShown ? 0 : -1;
    if (isShown) one.scrollIntoView({ block: 'nearest' });
  }
  for (const listener of listeners) listener();
}

function floorButton({ ordinal, shortName, name, levels }) {
  const made = button(element('span', '', shortName));
  made.setAttribute('aria-label', name.includes(shortName) ? name : `${shortName}: ${name}`);
  made.title = name;
  made.classList.toggle('on-way', levels.some(({ id }) => routeLevels.has(id)));
  made.addEventListener('click', () => showFloor(ordinal));
  return made;
}

function useArrows(event) {
  const all = [...byId('floor-buttons').children], index = all.indexOf(document.activeElement);
  const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: all.length - 1 }[event.key];
  if (index < 0 || next === undefined || !all[next]) return;
  event.preventDefault();
  all[next].click();
  all[next].focus();
}

/// The place of the shown floor that a click at a point of the map selects; null if there is none.
export async function placeAt(latlng) {
  const { lng: lon, lat } = latlng.wrap(), at = { lon, lat }, floor = shownFloor();
  if (!venue || !isWithin(venue.bbox, at)) return null;
  const levels = new Set(floor.levels.map(({ id }) => id)), map = leafletMap();
  const [all, room] = await Promise.all([placesOf(venue.id), roomAt(venue.id, floor.levels, at)]);
  const here = map.latLngToContainerPoint([lat, lon]);
  const pixels = (place) => here.distanceTo(map.latLngToContainerPoint([place.lat, place.lon]));
  const near = all.filter((place) => levels.has(place.level) && pixels(place) <= REACH_PIXELS)
    .sort((one, other) => metresBetween(one, at) - metresBetween(other, at));
  return near[0] ?? all.find(({ id }) => id === room?.id) ?? null;
}

/// The level of a point, { lon, lat }, if it is in a room of the shown floor; undefined outdoors.
export async function levelAt(point) {
  const isNear = venue && isWithin(venue.bbox, point);
  return isNear ? (await roomAt(venue.id, shownFloor().levels, point).catch(() => null))?.level : undefined;
}

/// Opens the facts of the room that was clicked; false if there is none.
async function openRoom(latlng) {
  const place = await placeAt(latlng).catch(() => null);
  if (!place) return false;
  [state.venue, state.place] = [venue.id, place.id];
  actions.open('place');
  return true;
}
