import { known, parameters, selectionParameters, state } from './state.js';
import { button, element, listButton } from './document.js';
import { get } from './server.js';
import { libraryZone, loadZone } from './calendar.js';
import { makeListing } from './listing.js';
import { selectTrack, selectTracks, trackTitle } from './selected-track.js';
import { counted, isImperial } from './text.js';
import { lineOfFacts } from './facts-text.js';
import { delayed, input, labelled, statusLine } from './panel-elements.js';

/// Tracks that are shown at once, and after each press of *More*.
const SHOWN = 50;
/// A search begins when the reader has stopped typing.
const TYPING_MS = 250;
/// Tracks that can be selected together: as many as the server shows in three dimensions.
const MAX_CHOSEN = 20;

/// How long the list was when it was left, and its filters: who comes back finds as many tracks.
let left = { filters: '', count: 0 };

/// Opens the list of tracks with its filters.
export function open(body, actions) {
  const text = input('search', { autocomplete: 'off', spellcheck: false });
  const activity = input('text', { autocomplete: 'off', placeholder: 'Any' });
  const from = input('date'), to = input('date');
  const names = Object.assign(element('datalist'), { id: 'activities' });
  const status = statusLine(), list = element('ul', 'tracks'), more = button('More tracks');
  const clear = button('Clear filters');
  activity.setAttribute('list', names.id);
  const form = element('form', 'filters', labelled('Search', text), labelled('Activity', activity), names,
    element('div', 'days', labelled('From', from), labelled('To', to)), clear);
  form.setAttribute('role', 'search');
  const several = button('Select several'), showChosen = button(''), scene = button('3-D view');
  scene.dataset.opens = 'scene';
  showChosen.className = scene.className = 'main';
  const choosing = element('div', 'row', several, showChosen, scene);
  body.append(form, status, choosing, list, more);
  /// The tracks that are chosen to be shown together; null if a click selects a single one.
  let chosen = null;
  const controller = new AbortController();
  let listing = null, shownKey = null, shownFilters = null, runs = 0, count = 0;
  const listed = new Map();

  const filters = () => JSON.stringify([parameters(selectionParameters), state.q, state.activity]);
  const key = () => filters() + known.revision + isImperial();

  /// Shows the next `wanted` tracks below those that are shown, or instead of them.
  async function showMore(number, wanted = SHOWN, replaces = false) {
    more.hidden = true;
    const isCurrent = () => number === runs;
    try {
      const found = await listing.next(wanted, () => {
        if (isCurrent()) status.textContent = 'Searching… ' + counted(listing.read(), 'track') + ' read';
        return isCurrent();
      });
      if (!isCurrent()) return;
      if (replaces) clearList();
      append(found);
      more.hidden = listing.isOver();
      status.textContent = statusText();
    } catch (error) {
      if (!isCurrent() || error.name === 'AbortError') return;
      status.textContent = error.message;
      more.hidden = false;
    }
  }

  function statusText() {
    const isFiltered = state.q || state.activity || state.from || state.to;
    if (count === 0) return isFiltered ? 'No track matches these filters.' : 'There are no tracks yet.';
    const whole = listing.isOver() ? counted(count, 'track') : counted(count, 'track') + ', and more';
    return whole + '. Times in ' + libraryZone() + '.';
  }

  function clearList() {
    count = 0;
    listed.clear();
    list.replaceChildren();
  }

  function append(found) {
    count += found.length;
    list.append(...found.map((track) => {
      const line = listButton(trackTitle(track), lineOfFacts(track));
      line.dataset.track = track.id;
      listed.set(track.id, track);
      return element('li', '', line);
    }));
    const kinds = new Set([...listed.values()].map((track) => track.activity).filter(Boolean));
    names.replaceChildren(...[...kinds].sort().map((kind) => new Option(kind, kind)));
    markSelected();
  }

  function markSelected() {
    const count = chosen?.size ?? 0;
    several.textContent = chosen ? 'Select a single one' : 'Select several';
    several.hidden = listed.size < 2;
    for (const one of [showChosen, scene]) one.hidden = count === 0;
    showChosen.textContent = `Show ${counted(count, 'track')}`;
    for (const line of list.querySelectorAll('button')) {
      if (chosen) line.setAttribute('aria-pressed', String(chosen.has(line.dataset.track)));
      else line.removeAttribute('aria-pressed');
      if (line.dataset.track === state.track) line.setAttribute('aria-current', 'true');
      else line.removeAttribute('aria-current');
    }
  }

  function showFilters() {
    for (const [one, value] of [[text, state.q], [activity, state.activity], [from, state.from], [to, state.to]]) {
      if (one.value !== value && document.activeElement !== one) one.value = value;
    }
    clear.hidden = !state.q && !state.activity && !state.from && !state.to;
  }

  async function renew() {
    showFilters();
    markSelected();
    // Before the first answer of the server, nothing is known about the library.
    if (known.revision === undefined || shownKey === key()) return;
    shownKey = key();
    const number = runs += 1;
    if (count === 0) status.textContent = 'Loading…';
    await loadZone().catch(() => null);
    if (number !== runs) return;
    listing = makeListing(
      (page) => get('v1/tracks', parameters(selectionParameters, page), controller.signal),
      { text: state.q, activity: state.activity });
    // If only the library has changed, as many tracks as before are shown, and the focus stays.
    const isSame = shownFilters === filters(), focused = list.contains(document.activeElement)
      && document.activeElement.dataset.track;
    shownFilters = filters();
    const before = isSame ? count : left.filters === shownFilters ? left.count : 0;
    await showMore(number, Math.max(SHOWN, before), true);
    if (focused) list.querySelector(`[data-track="${CSS.escape(focused)}"]`)?.focus();
  }

  /// Searches while the reader types, without an entry in the browser's history for each letter.
  const typed = delayed(() => {
    [state.q, state.activity] = [text.value.trim(), activity.value.trim()];
    actions.remember();
    renew();
  }, TYPING_MS);
  for (const one of [text, activity]) one.addEventListener('input', typed.later);
  for (const [one, name] of [[from, 'from'], [to, 'to']]) {
    one.addEventListener('change', () => {
      state[name] = one.value;
      actions.changed();
    });
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    typed.now();
  });
  clear.addEventListener('click', () => {
    state.q = state.activity = text.value = activity.value = '';
    const hadDays = state.from || state.to;
    state.from = state.to = from.value = to.value = '';
    text.focus();
    if (hadDays) actions.changed();
    else typed.now();
  });
  more.addEventListener('click', async () => {
    const last = list.lastElementChild;
    await showMore(runs);
    last?.nextElementSibling?.querySelector('button').focus();
  });
  list.addEventListener('click', (event) => {
    const { track } = event.target.closest('button')?.dataset ?? {};
    if (!track) return;
    if (chosen) {
      if (!chosen.delete(track) && chosen.size < MAX_CHOSEN) chosen.set(track, listed.get(track));
      markSelected();
      return;
    }
    selectTrack(listed.get(track));
    actions.selected();
  });
  several.addEventListener('click', () => {
    chosen = chosen ? null : new Map();
    markSelected();
  });
  const select = () => {
    selectTracks([...chosen.values()]);
    actions.selected();
  };
  showChosen.addEventListener('click', select);
  // Before the page opens the view.
  scene.addEventListener('click', select);
  renew();
  return {
    title: 'Tracks',
    renew,
    close() {
      left = { filters: shownFilters, count };
      typed.cancel();
      controller.abort();
      runs += 1;
    },
  };
}
