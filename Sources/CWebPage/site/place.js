import { known, parameters, parseView, selectionParameters, state, viewText } from './state.js';
import { button, byId, element, setNotice, showError } from './document.js';
import { get } from './server.js';
import { closePopUp, currentView, popUp, showBox } from './map.js';
import { dateText } from './days.js';
import { counted } from './text.js';

const LINES = 'tracks', LINES_ON_DARK = 'tracks-dark';
/// The part of the state that is replaced while a single track is selected.
const replaced = ['style', 'minus', 'ramp', 'span'];

let requests = 0, checks = 0, tracks = new Map();

/// Shows which tracks pass a place in a pop-up; `selected` is called when the reader selects one of them.
export async function showTracksAt(place, zoom, selected) {
  const number = requests += 1;
  const { lat, lng } = place.wrap();
  try {
    const point = { lon: lng.toFixed(6), lat: lat.toFixed(6), z: zoom };
    const [from, to] = state.minus.split('/');
    const before = { ...point, from: from || undefined, to: to || undefined };
    const compared = state.minus && get('v1/at', parameters(['layer'], before));
    const [found, other] = await Promise.all([get('v1/at', parameters(selectionParameters, point)), compared]);
    if (number !== requests) return;
    setNotice('place', '');
    if (found.count > 0 || other?.count > 0) popUp(place, content(found, other, selected));
    else closePopUp();
  } catch (error) {
    if (number !== requests) return;
    closePopUp();
    if (error.status === 404) setNotice('place', '');
    else showError('place', error);
  }
}

/// What is found at a place; `other` is what is found in the period that is compared with.
function content(found, other, selected) {
  const days = found.count > 0 ? 'Visited on ' + counted(found.count, 'day') : 'Not visited in this period';
  const parts = [element('p', 'many', days)];
  if (other) {
    const text = other.count > 0 ? 'on ' + counted(other.count, 'day') : 'on no day';
    parts.push(element('p', 'when', `In the period that is compared: ${text}`));
  }
  if (found.first) {
    const ends = [...new Set([found.first, found.last].filter(Boolean).map(dateText))].join(' – ');
    const share = found.quantile > 0.5 ? '; more than ' + Math.floor(found.quantile * 100) + ' % of all places' : '';
    parts.push(element('p', 'when', ends + share));
  }
  const items = found.tracks.map((track) => {
    const name = trackTitle(track);
    const line = button(element('b', '', name), element('span', '', trackFacts(track)));
    line.addEventListener('click', () => {
      closePopUp();
      selectTrack(track);
      selected();
    });
    return element('li', '', line);
  });
  if (items.length > 0) parts.push(element('ul', 'tracks', ...items));
  if (found.more) parts.push(element('p', 'when', 'More tracks pass here; zoom in to see them.'));
  return element('div', 'found', ...parts);
}

/// A track's activity and day.
export const trackFacts = (track) =>
  [track.name ? track.activity : '', track.start ? dateText(track.start) : ''].filter(Boolean).join(', ');

/// What a track is called: its name, else the file it came from.
export const trackTitle = ({ name, source, activity }) =>
  name || source?.replace(/^.*\//, '').replace(/\.\w{2,5}$/, '') || activity || 'Track';

/// Says that there are no tracks in the period or the layer, if that is so.
export async function showWhetherEmpty() {
  const number = checks += 1, isPeriod = Boolean(state.from || state.to);
  const isLimited = !state.track && (isPeriod || state.layer !== 'all');
  const found = isLimited && await get('v1/tracks', parameters(selectionParameters, { limit: 1 })).catch(() => null);
  if (number !== checks) return;
  setNotice('period', found?.tracks?.length === 0
    ? `There are no tracks in this ${isPeriod ? 'period' : 'layer'}.` : '');
}

/// Selects a track: only it is shown, as a line.
export function selectTrack(track) {
  tracks.set(track.id, track);
  if (!state.track) state.back = savedView();
  state.track = track.id;
  state.minus = state.ramp = state.span = '';
  const wanted = document.documentElement.dataset.background === 'dark' ? LINES_ON_DARK : LINES;
  if (known.styles.some(({ name }) => name === wanted)) state.style = wanted;
}

/// The replaced part of the state and the view, as text for `state.back`.
function savedView() {
  const parts = new URLSearchParams();
  for (const name of replaced) if (state[name]) parts.set(name, state[name]);
  const view = currentView();
  if (view) parts.set('map', viewText(view));
  return parts.toString();
}

/// Shows all tracks again, as before; returns the view from before, or null.
export function leaveTrack() {
  const parts = new URLSearchParams(state.back);
  for (const name of replaced) state[name] = parts.get(name) || (name === 'style' ? 'heat' : '');
  state.track = state.back = '';
  return parseView(parts.get('map') || '');
}

/// Shows the name of the selected track.
export async function showSelectedTrack() {
  byId('only').hidden = !state.track;
  byId('home').textContent = state.track ? 'Show the whole track' : 'Show everything';
  if (!state.track) return;
  const ids = state.track.split(',');
  byId('only-play').hidden = byId('only-facts').hidden = ids.length > 1;
  byId('only-name').textContent = counted(ids.length, 'selected track');
  if (ids.length > 1) return;
  const track = tracks.get(state.track) || await get('v1/tracks/' + encodeURIComponent(state.track)).catch(() => null);
  if (!track || track.id !== state.track) return;
  tracks.set(track.id, track);
  byId('only-name').replaceChildren(element('b', '', trackTitle(track)), ' ' + trackFacts(track));
}

/// Forgets a track that no longer exists.
export function forgetTrack() {
  tracks.delete(state.track);
  closePopUp();
  showSelectedTrack();
}

/// Keeps what the server says about a track.
export const rememberTrack = (track) => tracks.set(track.id, track);

/// The selected track as the server lists it, as far as it is known.
export const selectedTrack = () => tracks.get(state.track);

/// Moves the map to the selected track; false if its box is not known.
export function showTrack() {
  const { bbox } = tracks.get(state.track) || {};
  return Boolean(bbox) && showBox(bbox);
}
