import { known, state } from './state.js';
import { byId, NARROW_SCREEN, setNotice } from './document.js';
import { loadStyle, NOT_LOADED } from './loading.js';
import { get, mayChange, mayContribute } from './server.js';

/// A panel of journeys, which has styles of its own.
const journeyPanel = (load) => async () => (await Promise.all([load(), loadStyle('./journeys.css')]))[0];

/// The panels, each in a module that is loaded when it is opened first. A module has a function `open(body, actions)`,
/// which shows the panel in an element, and returns its `title`, `renew()`, which is called when the state or the
/// library may have changed, and `close()`; also `focus`, an element, if that gets the focus instead of the title.
const panels = {
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
let shown = null, name = '', openings = 0, actions = {};

/// The panel that the state names; that of a track needs a single track.
const wanted = () => state.panel === 'track' && (!state.track || state.track.includes(',')) ? '' : state.panel;

function showOpen() {
  const open = wanted();
  byId('side').hidden = !open;
  document.documentElement.toggleAttribute('data-side', Boolean(open));
  for (const opener of document.querySelectorAll('[data-panel]')) {
    opener.setAttribute('aria-expanded', String(opener.dataset.panel === open));
  }
}

/// Sets the title of the panel, and of the page.
function setTitle(text) {
  byId('side-title').textContent = text;
  document.title = text ? text + ' – tileserve' : 'tileserve';
}

let pinsLayer = null;

/// Shows the pins on the map, if the state says so. Their module is loaded when they are shown first.
async function showPinsLayer() {
  if (!state.pins && !pinsLayer) return;
  try {
    pinsLayer ||= await import('./pins-layer.js');
    pinsLayer.showPins(actions);
  } catch {
    // The map can be used without them; the next change tries again.
  }
}

let floors = null;

/// Shows the floors of venues on the map, and offers the panel of venues, if the library has any.
async function renewVenues() {
  try {
    const { venues } = await get('v1/venues');
    known.hasVenues = venues.length > 0;
    document.querySelector('#panel [data-panel="venues"]').hidden = !known.hasVenues;
    if (!known.hasVenues && !floors) return;
    // Without tracks, it was said that there is nothing yet.
    if (known.hasVenues) setNotice('empty', '');
    [floors] = await Promise.all([import('./floors.js'), loadStyle('./venues.css')]);
    floors.startFloors(actions, venues);
    shown?.renew();
  } catch {
    // The map can be used without them; the next change of the library tries again.
  }
}

let isStarted = false;

/// Loads the countdown that is shown while other panels than that of its journey are open.
async function loadCountdown() {
  const [module] = await Promise.all([import('./journey-bar.js'), loadStyle('./journeys.css')]);
  module.listenToTravel(actions);
  return module;
}

/// Shows the focus session of the reader, if one runs when the page is opened.
async function startJourneys() {
  // Others have no journeys.
  if (isStarted || !mayContribute() && !mayChange()) return;
  isStarted = true;
  try {
    const { journeys } = await get('v1/journeys');
    const running = journeys.find(({ session }) => ['running', 'committed'].includes(session?.state));
    if (running) (await loadCountdown()).showRunning(running.id);
  } catch {
    // The panel of journeys says what is wrong.
  }
}

/// Shows what is on the map besides tracks: the floors of venues, and the session that runs.
export function renewOverlays() {
  document.querySelector('#panel [data-panel="share"]').hidden = !mayChange();
  renewVenues();
  startJourneys();
}

let scene = null;

/// Shows the selected tracks in three dimensions, if the state says so.
async function showScene() {
  if (!state.scene && !scene) return;
  try {
    [scene] = await Promise.all([import('./scene.js'), loadStyle('./scene.css')]);
    setNotice('scene', '');
    scene.showScene(actions);
  } catch {
    setNotice('scene', NOT_LOADED);
  }
}

/// Shows the selected tracks in three dimensions, as a step of the browser's history.
function openScene() {
  state.scene ||= 'ele';
  // There is room for one of them.
  if (matchMedia(NARROW_SCREEN).matches) state.panel = '';
  actions.step();
  showSide();
}

/// Shows the panel that the state names.
export async function showSide() {
  showPinsLayer();
  showScene();
  floors?.showFloors();
  const open = wanted();
  if (open === name) {
    shown?.renew();
    return;
  }
  name = open;
  shown?.close();
  shown = null;
  byId('side-body').replaceChildren();
  setTitle('');
  showOpen();
  const number = openings += 1;
  if (!open) return;
  try {
    const [module] = await Promise.all([panels[open](), loadStyle('./side.css')]);
    if (number !== openings) return;
    setNotice('side', '');
    shown = module.open(byId('side-body'), actions);
    setTitle(shown.title);
  } catch {
    if (number !== openings) return;
    name = '';
    setNotice('side', NOT_LOADED);
    byId('side').hidden = true;
  }
}

/// Opens a panel, or closes the open one if the name is '', as a step of the browser's history.
export async function openSide(panel) {
  const before = state.panel;
  // Venues that were imported meanwhile do not change the revision of the library.
  if (panel === 'venues') renewVenues();
  state.panel = panel;
  actions.step();
  await showSide();
  const opener = document.querySelector(`:is(#panel, #tools) [data-panel="${before}"]`);
  if (panel) (shown?.focus ?? byId('side-title')).focus();
  else if (opener?.checkVisibility()) opener.focus();
}

let timeline = null;

/// Loads the days of the timeline, and its module if that is not there yet. The timeline calls `given`.
export async function renewTimeline(given) {
  try {
    const [module] = await Promise.all([import('./timeline.js'), loadStyle('./timeline.css')]);
    if (!timeline) module.startTimeline(given);
    timeline = module;
    await timeline.renewTimeline();
  } catch {
    // A period can also be chosen in the panel; the next change of the library tries again.
  }
}

/// Shows the period of the state in the timeline.
export const showTimeline = () => timeline?.showTimeline();

const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files');

async function addFiles(files) {
  const module = await panels.files();
  module.add(files);
  if (state.panel !== 'files') openSide('files');
}

function listenToTools() {
  byId('tools').addEventListener('click', async (event) => {
    const opener = event.target.closest('[data-tool]');
    if (!opener) return;
    const tools = await import('./tools.js');
    tools[opener.dataset.tool](opener);
  });
}

/// Lets the reader open and close panels, use the map's tools, and drop files. Panels call `actions` of the page.
export function listenToSide(given) {
  actions = { ...given, open: openSide, setTitle };
  addEventListener('click', (event) => {
    const panel = event.target.closest?.('[data-panel]')?.dataset.panel;
    if (panel) openSide(state.panel === panel ? '' : panel);
    if (event.target.closest?.('[data-opens="scene"]')) openScene();
  });
  byId('side-end').addEventListener('click', () => openSide(''));
  byId('side').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) openSide('');
  });
  listenToTools();
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    if (files.length) addFiles(files);
  });
}
