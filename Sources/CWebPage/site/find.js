import { element, listButton, NARROW_SCREEN } from './document.js';
import { get } from './server.js';
import { leafletMap, showBox } from './map.js';
import { countryName, number } from './text.js';
import { boxAround, positionOf, whereText } from './find-text.js';
import { delayed, input, labelled, statusLine } from './panel-elements.js';
import { makePlaceMarker } from './place-marker.js';

/// A search begins when the reader has stopped typing.
const TYPING_MS = 150;

let marker = null;

function forgetMarker() {
  marker?.remove();
  marker = null;
}

/// Moves the map to a place, and shows its name there until the map is clicked.
function goTo(place) {
  forgetMarker();
  if (!showBox(boxAround(place))) return;
  marker = makePlaceMarker([place.lat, place.lon])
    .bindTooltip(element('span', '', place.name), { permanent: true, direction: 'top', offset: [0, -8] })
    .addTo(leafletMap());
  leafletMap().once('click', forgetMarker);
}

/// Opens the search for places.
export function open(body, actions) {
  const text = input('search', {
    autocomplete: 'off', spellcheck: false, placeholder: 'Town, or latitude and longitude', maxLength: 100,
  });
  const form = element('form', 'more', labelled('Name of a place', text));
  const status = statusLine(), list = element('ul', 'tracks');
  form.setAttribute('role', 'search');
  body.append(form, status, list, element('p', 'quiet', 'Names of places: GeoNames (CC BY 4.0).'));
  const nameOf = (code) => countryName(code) ?? code, typed = delayed(search, TYPING_MS);
  let controller = null, asked = '', found = [];

  function show(places) {
    found = places;
    list.replaceChildren(...places.map((place, index) => {
      const name = place.otherName ? `${place.name} (${place.otherName})` : place.name;
      const people = place.population ? number.format(place.population) + ' inhabitants' : '';
      const where = place.country ? whereText(place, nameOf) : '';
      const line = listButton(name, [where, people].filter(Boolean).join(' · '));
      line.dataset.index = index;
      return element('li', '', line);
    }));
  }

  async function search() {
    const wanted = text.value.trim();
    if (wanted === asked) return;
    asked = wanted;
    controller?.abort();
    const position = positionOf(wanted);
    if (!wanted || position) {
      status.textContent = '';
      show(position ? [{ name: wanted, ...position }] : []);
      return;
    }
    const { signal } = controller = new AbortController();
    try {
      const { places } = await get('v1/places', { q: wanted }, signal);
      status.textContent = places.length === 0
        ? 'No place of 1,000 inhabitants or more has this name.' : '';
      show(places);
    } catch (error) {
      if (error.name === 'AbortError') return;
      asked = '';
      status.textContent = error.message;
    }
  }

  function choose(place) {
    if (!place) return;
    // There, the panel covers the map.
    if (matchMedia(NARROW_SCREEN).matches) actions.open('');
    goTo(place);
  }

  text.addEventListener('input', typed.later);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await typed.now();
    choose(found[0]);
  });
  list.addEventListener('click', (event) => choose(found[event.target.closest('button')?.dataset.index]));
  // Arrow keys go from the field to the places, and among them.
  body.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [text, ...list.querySelectorAll('button')];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return {
    title: 'Find a place',
    focus: text,
    renew() {},
    close() {
      typed.cancel();
      controller?.abort();
    },
  };
}
