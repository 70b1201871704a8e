import { known, state } from './state.js';
import { byId, NARROW_SCREEN, setNotice } from './document.js';
import { mayChange } from './server.js';
import { loadStyle, NOT_LOADED } from './loading.js';
import { closePopUp } from './map.js';
import { listenToDrops } from './drop.js';
import { hasFocus, keepScroll, noteOpener, restoreScroll, returnFocus } from './panel-focus.js';
import { listenToOverlays, loadCountdown, renewVenues, showOverlays } from './overlays.js';
import { showRail } from './rail.js';

/// A panel of journeys, which has styles of its own.
const journeyPanel = (load) => async () => (await Promise.all([load(), loadStyle('./journeys.css')]))[0];

/// A panel of a part that the page has from the beginning.
const part = (id, title) => async () => (await import('./parts.js')).partPanel(id, title);

/// The panels, each in a module that is loaded when it is opened first. A module has a function `open(body, actions)`,
/// which shows the panel in an element, and returns its `title`, `renew()`, which is called when the state or the
/// library may have changed, and `close()`; also `focus`, an element, if that gets the focus instead of the title.
const panels = {
  map: part('map-part', 'Map'),
  play: part('play-part', 'Play'),
  appearance: () => import('./appearance.js'),
  tracks: () => import('./tracks.js'),
  track: () => import('./facts.js'),
  statistics: () => import('./statistics.js'),
  year: () => import('./statistics-year.js'),
  explorer: () => import('./statistics-explorer.js'),
  countries: () => import('./statistics-countries.js'),
  stays: () => import('./statistics-stays.js'),
  pins: () => import('./pins.js'),
  pin: () => import('./pin.js'),
  'add-pin': () => import('./add-pin.js'),
  files: () => import('./files.js'),
  find: () => import('./find.js'),
  poster: () => import('./poster.js'),
  share: () => import('./share.js'),
  venues: () => import('./venues.js'),
  place: () => import('./venue-place.js'),
  directions: () => import('./directions.js'),
  journeys: journeyPanel(() => import('./journeys.js')),
  route: journeyPanel(() => import('./route.js')),
  journey: journeyPanel(() => loadCountdown().then(() => import('./journey.js'))),
  passport: journeyPanel(() => import('./passport.js')),
  focus: journeyPanel(() => import('./focus.js')),
  person: journeyPanel(() => import('./person.js')),
};
/// The panels to which one returns from what they list.
const lists = new Set(['tracks', 'pins', 'venues', 'journeys', 'countries', 'stays', 'year', 'statistics']);
let shown = null, name = '', before = '', openings = 0, isClosing = false, actions = {};

/// The panel that the state names; that of a track needs a single track.
const wanted = () => state.panel === 'track' && (!state.track || state.track.includes(',')) ? '' : state.panel;

function showOpen() {
  const open = wanted();
  byId('side').hidden = !open;
  document.documentElement.toggleAttribute('data-side', Boolean(open));
  for (const opener of document.querySelectorAll('[data-panel]')) {
    opener.setAttribute('aria-expanded', String(opener.dataset.panel === open));
  }
  showRail(open);
}

/// Sets the title of the panel, and of the page.
function setTitle(text) {
  byId('side-title').textContent = text;
  document.title = text ? text + ' – tileserve' : 'tileserve';
}

/// Shows the selected tracks in three dimensions, as a step of the browser's history.
function openScene() {
  state.scene ||= 'ele';
  // There is room for one of them.
  if (matchMedia(NARROW_SCREEN).matches) state.panel = '';
  actions.step();
  showSide();
}

/// Shows the panel that the state names. `isReturn` says that the reader goes back to it: then it is scrolled as before.
export async function showSide(isReturn = false) {
  showOverlays();
  const open = wanted();
  if (open === name) {
    shown?.renew();
    showRail(open);
    return;
  }
  const hadFocus = name && hasFocus();
  keepScroll(name);
  [before, name] = [name, open];
  shown?.close();
  shown = null;
  byId('side-body').replaceChildren();
  byId('side-body').scrollTop = 0;
  setTitle('');
  showOpen();
  const number = openings += 1;
  if (!open) {
    if (hadFocus || isClosing) returnFocus(before);
    return;
  }
  try {
    const [module] = await Promise.all([panels[open](), loadStyle('./side.css')]);
    if (number !== openings) return;
    setNotice('side', '');
    shown = module.open(byId('side-body'), actions);
    setTitle(shown.title);
    if (isReturn) restoreScroll(open);
    if (hadFocus) byId('side-title').focus({ preventScroll: true });
  } catch {
    if (number !== openings) return;
    name = state.panel = '';
    setNotice('side', NOT_LOADED);
    showOpen();
    if (hadFocus) returnFocus(open);
  }
}

/// Opens a panel, or closes the open one if the name is '', as a step of the browser's history.
export async function openSide(panel) {
  // Venues that were imported meanwhile do not change the revision of the library.
  if (panel === 'venues') renewVenues();
  if (panel) noteOpener();
  state.panel = panel;
  actions.step();
  isClosing = !panel;
  await showSide(panel === before && lists.has(panel));
  isClosing = false;
  if (panel) (shown?.focus ?? byId('side-title')).focus({ preventScroll: true });
}

const addFiles = async (files) => {
  const module = await panels.files();
  module.add(files);
  if (state.panel !== 'files') openSide('files');
};

function listenToTools() {
  byId('tools').addEventListener('click', async (event) => {
    const opener = event.target.closest('[data-tool]');
    if (!opener) return;
    const tools = await import('./tools.js');
    tools[opener.dataset.tool](opener);
  });
}

/// Lets Escape close the panel wherever the focus is, unless something above it takes the key: a pop-up, a dialog, or a
/// field with a text to be cleared.
function listenToEscape() {
  let isTaken = false;
  // Before anything closes: afterwards, one cannot see any more that it was open.
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const isField = event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value;
    isTaken = Boolean(isField || document.querySelector('dialog[open], #days:not([hidden])') || event.target.closest?.('#scene'));
  }, true);
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isTaken) return;
    if (closePopUp()) byId('map').focus({ preventScroll: true });
    else if (name) openSide('');
  });
}

/// Lets the reader open and close panels, use the map's tools, and drop files. Panels call `actions` of the page.
export function listenToSide(given) {
  actions = { ...given, open: openSide, setTitle };
  listenToOverlays(actions, () => {
    showRail(name);
    showWelcome();
    shown?.renew();
  });
  addEventListener('click', (event) => {
    const opener = event.target.closest?.('[data-panel]'), panel = opener?.dataset.panel;
    // Some browsers give no focus to a button that is clicked.
    if (panel) noteOpener(opener);
    if (panel) openSide(state.panel === panel ? '' : panel);
    if (event.target.closest?.('[data-opens="scene"]')) openScene();
  });
  byId('side-end').addEventListener('click', () => openSide(''));
  listenToEscape();
  listenToTools();
  listenToDrops(addFiles);
}

let welcome = null, hasNoTracks = false;

/// Begins the first visit with a place to add files, while there are neither tracks nor venues.
export async function showWelcome(isEmpty = hasNoTracks) {
  hasNoTracks = isEmpty;
  const isWanted = isEmpty && known.hasVenues === false, isOpen = isWanted && mayChange() && !name;
  setNotice('empty', isWanted && !mayChange() ? 'No tracks yet.' : '');
  if (isOpen && !welcome) welcome = import('./welcome.js').then(({ makeWelcome }) => makeWelcome(addFiles)).catch(() => null);
  document.documentElement.toggleAttribute('data-empty', isWanted);
  const box = await welcome;
  if (box) box.hidden = !isOpen || Boolean(name);
}
