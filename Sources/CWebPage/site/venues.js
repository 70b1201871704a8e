import { known, state } from './state.js';
import { button, element, listButton, NARROW_SCREEN } from './document.js';
import { visiblePart, showBox } from './map.js';
import { counted } from './text.js';
import { delayed, input, labelled, statusLine } from './panel-elements.js';
import {
  categoriesOf, categoryFilter, distinctPlaces, floorsOf, isSearched, placeLine, placeTitle, venuesIn,
} from './venue-text.js';
import { knownVenues, placesOf, searchPlaces, venueWith } from './venue-data.js';
import { onFloor, shownFloor, shownVenue } from './floors.js';
import { makeFavourites } from './favourites.js';
import { makeWays } from './way-history.js';

/// A search begins when the reader has stopped typing.
const TYPING_MS = 200;
/// Places that are listed at once, and after each press of *More*.
const SHOWN = 40;
/// A venue is shown at most at this zoom level.
const VENUE_ZOOM = 19;

/// Opens the venues of the library: a list of them, or the places of one.
export function open(body, actions) {
  const status = statusLine(), list = element('ul', 'tracks'), more = button('More places');
  const text = input('search', { autocomplete: 'off', spellcheck: false, placeholder: 'Room, name or kind', maxLength: 100 });
  const form = element('form', 'more', labelled('Search this venue', text)), chips = element('div', 'chips');
  const about = element('p', 'quiet'), heading = element('h3');
  const directions = button('Directions'), show = button('Show on the map'), others = button('All venues');
  const links = element('div', 'row', directions, show, others);
  directions.dataset.panel = 'directions';
  chips.setAttribute('role', 'group');
  chips.setAttribute('aria-label', 'Kinds of places');
  form.setAttribute('role', 'search');
  const choose = (id) => {
    state.place = id;
    actions.open('place');
  };
  const favourites = makeFavourites(choose), ways = makeWays(actions);
  body.append(about, links, form, chips, status, heading, list, more, favourites.box, ways.box);

  let venue = null, places = [], count = SHOWN, runs = 0, shownKey = '', controller = null, wantsList = false, listedFor = null;
  const typed = delayed(() => {
    state.rooms = text.value.trim();
    count = SHOWN;
    actions.remember();
    renew();
  }, TYPING_MS);

  function venueLine(one) {
    const made = listButton(one.name, [
      one.buildings.find(({ address }) => address)?.address, counted(floorsOf(one).length, 'floor'),
      one.buildings.length > 1 ? counted(one.buildings.length, 'building') : '',
    ].filter(Boolean).join(' · '));
    made.dataset.venue = one.id;
    return element('li', '', made);
  }

  /// The venues: those in view first.
  function showVenues() {
    const all = knownVenues(), part = visiblePart(), near = part ? venuesIn(all, part.box) : [];
    status.textContent = near.length > 0 && near.length < all.length
      ? `${counted(near.length, 'venue')} in view, ${all.length} in all.` : counted(all.length, 'venue') + '.';
    list.replaceChildren(...[...near, ...all.filter((one) => !near.includes(one))].map(venueLine));
    for (const part of [about, links, form, chips, heading, more]) part.hidden = true;
    actions.setTitle('Venues');
  }

  function showChips(all) {
    chips.hidden = false;
    // What has the focus stays.
    if (chips.dataset.venue === venue.id) {
      for (const chip of chips.children) chip.setAttribute('aria-pressed', String(chip.dataset.kind === state.roomKind));
      return;
    }
    chips.dataset.venue = venue.id;
    chips.replaceChildren(...categoriesOf(distinctPlaces(all)).map(({ name, text, count }) => {
      const chip = button(text, ' ', element('span', '', String(count)));
      chip.setAttribute('aria-pressed', String(state.roomKind === name));
      chip.dataset.kind = name;
      return chip;
    }));
  }

  /// What is listed: what the search finds, what is of a kind, or what is on the floor that the map shows.
  function listed(found, floor) {
    const isKind = categoryFilter(state.roomKind), levels = floor?.levels.map(({ id }) => id) ?? [];
    const isHere = ({ level }) => state.rooms || state.roomKind || !floor || levels.includes(level);
    const places = distinctPlaces(found.filter((place) => isKind(place) && isHere(place)));
    if (state.rooms) return places;
    // Without a search, those with a name of their own come first, and corridors and the like are left out.
    const isNamed = (place) => placeTitle(place) === place.name;
    return [...places.filter(isNamed), ...places.filter((place) => !isNamed(place) && isSearched(place))];
  }

  function showPlaces(floor) {
    const isSearch = state.rooms || state.roomKind;
    status.textContent = places.length === 0
      ? isSearch ? 'No place of this venue fits.' : 'This floor has no places with a name or a kind.'
      : counted(places.length, 'place') + '.';
    heading.textContent = isSearch ? 'Found' : floor?.name ?? 'Places';
    list.replaceChildren(...places.slice(0, count).map((place) => {
      const line = listButton(placeTitle(place), placeLine(venue, place));
      line.dataset.place = place.id;
      return element('li', '', line);
    }));
    more.hidden = places.length <= count;
  }

  async function showVenue() {
    actions.setTitle(venue.name);
    const several = venue.buildings.length > 1 ? counted(venue.buildings.length, 'building') : '';
    about.textContent = [venue.buildings.find(({ address }) => address)?.address, several].filter(Boolean).join(' · ');
    for (const part of [links, form, heading]) part.hidden = false;
    about.hidden = !about.textContent;
    others.hidden = knownVenues().length < 2;
    if (document.activeElement !== text) text.value = state.rooms;
    const run = runs += 1, floor = shownVenue()?.id === venue.id ? shownFloor() : null;
    controller?.abort();
    controller = new AbortController();
    try {
      const all = await placesOf(venue.id);
      const found = state.rooms ? await searchPlaces(venue.id, state.rooms, controller.signal) : all;
      if (run !== runs) return;
      showChips(all);
      places = listed(found, floor);
      showPlaces(floor);
    } catch (error) {
      if (run !== runs || error.name === 'AbortError') return;
      shownKey = '';
      status.textContent = error.message;
    }
  }

  function renew() {
    if (knownVenues().length === 0) {
      status.textContent = known.revision === undefined ? 'Loading…' : 'This library has no venues.';
      return;
    }
    if (known.isLink && venueWith(state.venue)) showBox(venueWith(state.venue).bbox, VENUE_ZOOM);
    known.isLink = false;
    // Who looks at a venue wants to see its rooms.
    if (!venueWith(state.venue) && !wantsList) {
      const only = knownVenues().length === 1 ? knownVenues()[0] : null;
      if (!shownVenue() && only) showBox(only.bbox, VENUE_ZOOM);
      state.venue = (shownVenue() ?? only)?.id ?? '';
    }
    venue = venueWith(state.venue) ?? null;
    const key = JSON.stringify([
      venue?.id, state.rooms, state.roomKind, count, shownFloor()?.ordinal, known.revision, knownVenues().length,
    ]);
    if (key === shownKey) return;
    shownKey = key;
    if (listedFor !== (venue?.id ?? '')) {
      listedFor = venue?.id ?? '';
      favourites.renew();
      ways.renew(venue);
    }
    if (venue) showVenue();
    else showVenues();
  }

  list.addEventListener('click', (event) => {
    const chosen = event.target.closest('button')?.dataset;
    if (chosen?.place) choose(chosen.place);
    if (!chosen?.venue) return;
    [state.venue, state.rooms, state.roomKind, state.level] = [chosen.venue, '', '', ''];
    showBox(venueWith(chosen.venue).bbox, VENUE_ZOOM);
    actions.step();
    renew();
    // On a phone, the focus would open the keyboard over the places.
    if (!matchMedia(NARROW_SCREEN).matches) text.focus();
  });
  chips.addEventListener('click', (event) => {
    const kind = event.target.closest('button')?.dataset.kind;
    if (!kind) return;
    state.roomKind = state.roomKind === kind ? '' : kind;
    count = SHOWN;
    actions.remember();
    renew();
  });
  others.addEventListener('click', () => {
    wantsList = true;
    state.venue = '';
    actions.step();
    renew();
    list.querySelector('button')?.focus();
  });
  show.addEventListener('click', () => showBox(venue.bbox, VENUE_ZOOM));
  more.addEventListener('click', () => {
    count += SHOWN;
    renew();
    list.children[count - SHOWN]?.querySelector('button').focus();
  });
  text.addEventListener('input', typed.later);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await typed.now();
  });
  const forget = onFloor(renew);
  // The map may show another venue by now.
  if (shownVenue() && !known.isLink) state.venue = shownVenue().id;
  more.hidden = true;
  renew();
  return {
    title: venue?.name ?? 'Venues', renew,
    close() {
      forget();
      typed.cancel();
      controller?.abort();
      runs += 1;
    },
  };
}
