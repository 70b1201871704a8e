import { parameters, selectionParameters } from './state.js';
import { button, byId, element } from './document.js';
import { get } from './server.js';
import { selectTrack, trackFacts } from './place.js';

/// Tracks per request.
const PAGE_LENGTH = 30;

let requests = 0, next = null, listed = new Map();

/// Lists the tracks of the current layer and period, newest first, if the list is open.
export async function showTracks() {
  if (!byId('tracks-list').open) return;
  byId('tracks-lines').replaceChildren();
  listed = new Map();
  next = null;
  await showMore();
}

async function showMore() {
  const number = requests += 1;
  byId('tracks-more').hidden = true;
  const page = parameters(selectionParameters, { limit: PAGE_LENGTH, after: next ?? undefined });
  const found = await get('v1/tracks', page).catch(() => null);
  if (number !== requests || !found) return;
  next = found.next ?? null;
  byId('tracks-more').hidden = !next;
  byId('tracks-lines').append(...found.tracks.map((track) => {
    const name = track.name || track.activity || 'Track';
    const line = button(element('b', '', name), element('span', '', trackFacts(track)));
    line.dataset.track = track.id;
    listed.set(track.id, track);
    return element('li', '', line);
  }));
  if (byId('tracks-lines').childElementCount === 0) {
    byId('tracks-lines').append(element('li', 'rest', 'No tracks in this period.'));
  }
}

/// Calls `selected` when the reader has selected a track, which is then the only one on the map.
export function listenToTracks(selected) {
  byId('tracks-list').addEventListener('toggle', showTracks);
  byId('tracks-more').addEventListener('click', showMore);
  byId('tracks-lines').addEventListener('click', (event) => {
    const { track } = event.target.closest('button')?.dataset ?? {};
    if (!track) return;
    selectTrack(listed.get(track));
    selected();
  });
}
