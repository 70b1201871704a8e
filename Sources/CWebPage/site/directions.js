import { known, state } from './state.js';
import { button, element, NARROW_SCREEN } from './document.js';
import { leafletMap, offerClicks } from './map.js';
import { labelled, select, statusLine } from './panel-elements.js';
import { requestPosition } from './position.js';
import { counted, sentence } from './text.js';
import { profiles, wayText } from './venue-text.js';
import { knownVenues, venueWith } from './venue-data.js';
import { levelAt, placeAt, shownFloor, shownVenue } from './floors.js';
import { makeStopField, signButton } from './stop-field.js';
import { hasRoom, pointText, stopsBetween } from './stops.js';
import { askForWay, requestWay, takeQuestion } from './way-request.js';
import { makeWayView } from './way-view.js';

/// Opens the way from one place of a venue to another.
export function open(body, actions) {
  const status = statusLine(), stops = element('div', 'stops'), form = element('form', 'more');
  const profile = select(Object.entries(profiles)), swap = signButton('⇅', 'Swap start and destination');
  const add = button('Add a stop'), clear = button('Clear'), back = button('All places');
  back.dataset.panel = 'venues';
  form.append(stops, element('div', 'ways', labelled('Profile', profile), swap, add, clear));
  form.addEventListener('submit', (event) => event.preventDefault());

  let shownKey = '', runs = 0, controller = null, picking = null, isAdding = false, shownStops = '';
  const venue = () => venueWith(state.venue) ?? shownVenue() ?? (knownVenues().length === 1 ? knownVenues()[0] : undefined);
  const view = makeWayView();
  body.append(form, status, view.box, back);

  /// The stops, each with its text, and how it is set.
  function slots() {
    const between = stopsBetween(state.via);
    const setBetween = (index) => (stop) => {
      state.via = [...between.slice(0, index), stop, ...between.slice(index + 1)].filter(Boolean).join(';');
    };
    const shown = isAdding ? [...between, ''] : between;
    return [
      { label: 'From', stop: state.origin, set: (stop) => { state.origin = stop; } },
      ...shown.map((stop, index) => ({ label: `Stop ${index + 1}`, stop, set: setBetween(index), isBetween: true })),
      { label: 'To', stop: state.destination, set: (stop) => { state.destination = stop; }, isEnd: true },
    ];
  }

  /// Sets a stop, and goes on with the first one that is missing.
  function take(slot, stop) {
    slot.set(stop);
    picking = null;
    showStatus('');
    if (slot.isBetween) isAdding = false;
    if (venue() && !state.venue) state.venue = venue().id;
    askForWay();
    actions.step();
    renew();
    const missing = slots().findIndex((one) => !one.stop);
    if (stop && missing >= 0) stops.querySelectorAll('input')[missing]?.focus();
  }

  async function takeClick(place) {
    const slot = picking ?? slots().find((one) => !one.stop);
    if (!slot) return false;
    const { lng: lon, lat } = place.wrap();
    const room = await placeAt(place).catch(() => null), floor = shownFloor();
    if (!room && !floor && !picking) return false;
    if (floor && shownVenue() && !state.venue) state.venue = shownVenue().id;
    take(slot, room?.id ?? pointText({ lon, lat, level: await levelAt({ lon, lat }) }));
    return true;
  }

  function pick(slot) {
    picking = slot;
    showStatus('Click a place on the map, or move it with the arrow keys and press Enter for its middle.');
    leafletMap().getContainer().focus();
  }

  async function locate(slot) {
    showStatus('Determining where you are…');
    try {
      const { longitude: lon, latitude: lat } = await requestPosition();
      take(slot, pointText({ lon, lat, level: await levelAt({ lon, lat }) }));
    } catch (error) {
      showStatus(error.message);
    }
  }

  /// Shows a field for each stop. While their number stays, so do they, and with them the focus.
  function showStops() {
    const all = slots(), key = JSON.stringify([all.map(({ label }) => label), venue()?.id, knownVenues().length]);
    if (key !== shownStops) {
      shownStops = key;
      stops.replaceChildren(...all.map(({ label, isEnd, isBetween }, index) => {
        const slot = () => slots()[index];
        const field = makeStopField({
          label, isEnd, venue, changed: (stop) => take(slot(), stop), pick: () => pick(slot()), locate: () => locate(slot()),
        });
        field.box.show = field.show;
        if (isBetween) {
          const remove = signButton('✕', 'Remove ' + label.toLowerCase());
          remove.addEventListener('click', () => {
            take(slot(), '');
            add.focus();
          });
          field.box.append(remove);
        }
        return field.box;
      }));
    }
    for (const [index, { stop }] of all.entries()) stops.children[index].show(stop);
    add.hidden = isAdding || !hasRoom(stopsBetween(state.via));
    profile.value = state.profile || 'walk';
  }

  function showStatus(text, isResult = false) {
    status.textContent = text;
    status.classList.toggle('summary', isResult);
  }

  function showWay(way, asks) {
    const where = venueWith(way.venue) ?? venue();
    if (way.state !== 'done') {
      showStatus('No way was found: ' + sentence(way.reason ?? 'the server gives no reason'));
      view.show(null);
      return;
    }
    showStatus(`${wayText(way)}, ${counted(way.legs.length, 'step')}`, true);
    view.show(way, where, asks);
    // There, the fields cover what was found.
    if (matchMedia(NARROW_SCREEN).matches) status.scrollIntoView({ block: 'start' });
  }

  async function load() {
    const run = runs += 1, asks = takeQuestion();
    controller?.abort();
    controller = new AbortController();
    if (!state.origin || !state.destination) {
      if (status.classList.contains('summary')) showStatus('');
      view.show(null);
      return;
    }
    view.setBusy(true);
    showStatus('Looking for the way…');
    try {
      const way = await requestWay({ ...state, venue: venue()?.id ?? '' }, asks, controller.signal);
      if (run === runs) showWay(way, asks);
    } catch (error) {
      if (run !== runs || error.name === 'AbortError') return;
      shownKey = '';
      view.show(null);
      showStatus(error.message);
    }
    view.setBusy(false);
  }

  function renew() {
    if (knownVenues().length === 0) {
      showStatus('Loading…');
      return;
    }
    if (status.textContent === 'Loading…') showStatus('');
    showStops();
    const key = JSON.stringify([
      state.origin, state.destination, state.via, state.profile, venue()?.id, known.revision, knownVenues().length,
    ]);
    if (key === shownKey) return;
    shownKey = key;
    load();
  }

  profile.addEventListener('change', () => {
    state.profile = profile.value === 'walk' ? '' : profile.value;
    askForWay();
    actions.step();
    renew();
  });
  swap.addEventListener('click', () => {
    [state.origin, state.destination] = [state.destination.startsWith('category:') ? '' : state.destination, state.origin];
    state.via = stopsBetween(state.via).reverse().join(';');
    askForWay();
    actions.step();
    renew();
  });
  add.addEventListener('click', () => {
    isAdding = true;
    showStops();
    stops.querySelectorAll('input')[stopsBetween(state.via).length + 1].focus();
  });
  clear.addEventListener('click', () => {
    [state.origin, state.destination, state.via] = ['', '', ''];
    isAdding = false;
    actions.step();
    renew();
    stops.querySelector('input').focus();
  });
  offerClicks(0, takeClick);
  renew();
  // On a phone, the focus would open the keyboard over the map.
  const missing = matchMedia(NARROW_SCREEN).matches ? -1 : slots().findIndex(({ stop }) => !stop);
  return {
    title: 'Directions', focus: stops.querySelectorAll('input')[missing], renew,
    close() {
      offerClicks(0, null);
      for (const one of stops.children) one.show = () => {};
      controller?.abort();
      runs += 1;
      view.remove();
    },
  };
}
