import { known, parseView, state, viewText } from './state.js';
import { byId, element } from './document.js';
import { get, trackPath } from './server.js';
import { closePopUp, currentView, showBox } from './map.js';
import { dateText } from './days.js';
import { counted } from './text.js';
import { union } from './boxes.js';

const LINES = 'tracks', LINES_ON_DARK = 'tracks-dark';
/// The parts of the state that are replaced while a single track is selected.
const replaced = ['style', 'minus', 'ramp', 'span'];

/// What the server said about tracks, by id.
const tracks = new Map();

/// What a track is called: its name, else the file it came from.
export const trackTitle = ({ name, source, activity }) =>
  name || source?.replace(/^.*\//, '').replace(/\.\w{2,5}$/, '') || activity || 'Track';

/// A track's activity and day.
export const trackFacts = (track) =>
  [track.name ? track.activity : '', track.start ? dateText(track.start) : ''].filter(Boolean).join(', ');

/// Keeps what the server says about a track.
export const rememberTrack = (track) => tracks.set(track.id, track);

/// The selected track as the server lists it, if it is known.
export const selectedTrack = () => tracks.get(state.track);

/// Selects a track: only it is shown, as a line.
export const selectTrack = (track) => selectTracks([track]);

/// Selects tracks: only they are shown, as lines.
export function selectTracks(list) {
  for (const track of list) rememberTrack(track);
  if (!state.track) state.back = savedView();
  state.track = list.map(({ id }) => id).join(',');
  state.minus = state.ramp = state.span = '';
  const wanted = known.theme ? LINES_ON_DARK : LINES;
  if (known.styles.some(({ name }) => name === wanted)) state.style = wanted;
}

/// The replaced parts of the state and the view, as text for `state.back`.
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
  state.track = state.back = state.scene = '';
  return parseView(parts.get('map') || '');
}

/// Shows the name of the selected track.
export async function showSelectedTrack() {
  byId('only').hidden = !state.track;
  byId('home').textContent = !state.track ? 'Show everything' : state.track.includes(',') ? 'Show all of them' : 'Show the whole track';
  if (!state.track) return;
  const ids = state.track.split(',');
  byId('only-play').hidden = byId('only-facts').hidden = ids.length > 1;
  byId('only-name').textContent = counted(ids.length, 'selected track');
  if (ids.length > 1) return;
  const track = selectedTrack() || await get(trackPath(state.track)).catch(() => null);
  if (!track || track.id !== state.track) return;
  rememberTrack(track);
  byId('only-name').replaceChildren(element('b', '', trackTitle(track)), ' ' + trackFacts(track));
}

/// Forgets the selected track, because it does not exist any more.
export function forgetTrack() {
  tracks.delete(state.track);
  closePopUp();
  showSelectedTrack();
}

/// Moves the map to the selected tracks; false if their boxes are not known.
export function showTrack() {
  const box = union(state.track.split(',').map((id) => tracks.get(id)?.bbox).filter(Boolean));
  return Boolean(box) && showBox(box);
}
