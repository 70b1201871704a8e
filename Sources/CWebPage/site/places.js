import { known, parameters, selectionParameters } from './state.js';
import { button, byId, element } from './document.js';
import { get } from './server.js';
import { showBox } from './map.js';
import { counted } from './text.js';
import { placesOf } from './places-text.js';

/// The newest tracks are looked at, and so many places are offered.
const MAX_TRACKS = 1000, MAX_OFFERED = 6;

/// Offers the places where tracks are, to be chosen above the map; returns the box of the busiest one, or null if there is
/// only one. `showAll` shows all of them.
export async function offerPlaces(showAll) {
  const { tracks } = await get('v1/tracks', parameters(selectionParameters, { limit: MAX_TRACKS }));
  const places = placesOf(tracks).slice(0, MAX_OFFERED), bar = byId('places');
  if (places.length < 2) return null;
  const revision = known.revision;
  const chips = places.map(({ name, count, box }) => {
    const chip = button(name, element('span', '', String(count)));
    chip.setAttribute('aria-label', `${name}, ${counted(count, 'track')}`);
    chip.addEventListener('click', () => choose(chip, () => showBox(box)));
    return chip;
  });
  const all = button('Everywhere'), end = button('×');
  all.addEventListener('click', () => choose(all, showAll));
  end.setAttribute('aria-label', 'Hide the places');
  end.title = 'Hide the places';
  end.addEventListener('click', () => {
    bar.hidden = true;
    byId('map').focus({ preventScroll: true });
  });
  bar.replaceChildren(...chips, all, end);
  bar.dataset.revision = revision;
  bar.hidden = false;
  mark(chips[0]);
  return places[0].box;

  function mark(chosen) {
    for (const chip of bar.children) if (chip !== end) chip.setAttribute('aria-pressed', String(chip === chosen));
  }

  function choose(chip, show) {
    mark(chip);
    show();
  }
}
