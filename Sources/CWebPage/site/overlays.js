import { known, state } from './state.js';
import { setNotice } from './document.js';
import { get, mayChange, mayContribute } from './server.js';
import { loadStyle, NOT_LOADED } from './loading.js';

// What is on the map besides tracks: pins, floors of venues, the 3-D view, the session that runs, and the timeline.

let timeline = null, actions = {}, changed = () => {}, pinsLayer = null, floors = null, isStarted = false, scene = null;

/// Takes the page's actions, and what to call when the venues are known.
export function listenToOverlays(given, venuesChanged) {
  [actions, changed] = [given, venuesChanged];
}

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

/// Shows the floors of venues on the map, if the library has any.
export async function renewVenues() {
  try {
    const { venues } = await get('v1/venues');
    known.hasVenues = venues.length > 0;
    if (known.hasVenues || floors) {
      [floors] = await Promise.all([import('./floors.js'), loadStyle('./venues.css')]);
      floors.startFloors(actions, venues);
    }
    changed();
  } catch {
    // The map can be used without them; the next change of the library tries again.
    known.hasVenues ??= false;
    changed();
  }
}

/// Loads the countdown that is shown while other panels than that of its journey are open.
export async function loadCountdown() {
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

/// Asks the server for what may have changed with the library.
export function renewOverlays() {
  renewVenues();
  startJourneys();
}

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

/// Shows what the state names.
export function showOverlays() {
  showPinsLayer();
  showScene();
  floors?.showFloors();
}

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
