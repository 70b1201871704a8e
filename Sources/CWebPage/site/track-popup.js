import { parameters, selectionParameters, state } from './state.js';
import { element, listButton, setNotice, showError } from './document.js';
import { get } from './server.js';
import { closePopUp, popUp } from './map.js';
import { dateText } from './days.js';
import { counted } from './text.js';
import { selectTrack, trackFacts, trackTitle } from './selected-track.js';

/// How long it is shown that there is nothing.
const SHOWN_MS = 8000;

let requests = 0, hiding = 0;

/// Shows in a pop-up which tracks pass a place; `selected` is called when the reader selects one of them. That none pass is
/// said to those who chose the place with the keyboard: they do not see by a pointer where it is.
export async function showTracksAt(place, zoom, isByKey, selected) {
  const number = requests += 1;
  setNotice('nothing', '');
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
    else showNothing(isByKey);
  } catch (error) {
    if (number !== requests) return;
    if (error.status === 404) {
      setNotice('place', '');
      showNothing(isByKey);
      return;
    }
    closePopUp();
    showError('place', error);
  }
}

function showNothing(isByKey) {
  closePopUp();
  clearTimeout(hiding);
  if (!isByKey) return;
  setNotice('nothing', 'No track passes the centre of the map.');
  hiding = setTimeout(setNotice, SHOWN_MS, 'nothing', '');
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
    const line = listButton(trackTitle(track), trackFacts(track));
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
