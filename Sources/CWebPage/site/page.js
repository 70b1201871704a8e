import { known, openLink, otherTiles, parameters, readFragment, remember, startHistory, state, step } from './state.js';
import { byId, setNotice, showError } from './document.js';
import { address, get, getEarly, refusal, setPermissions, tileTemplate } from './server.js';
import { NO_SUCH_TRACK, percentText } from './text.js';
import * as map from './map.js';
import { openMap } from './first-view.js';
import { listenToBasemap, showBasemap } from './basemap.js';
import { loadBaseMaps, withoutArchives } from './base-layer.js';
import {
  listenToPanel, showAddress, showLayers, showState, showStyles, showTotals, showUnits, showWhetherEmpty,
} from './panel.js';
import { checkColors, forgetLegend, loadRamps, showLegend } from './colors.js';
import { forgetTrack, leaveTrack, showSelectedTrack, showTrack } from './selected-track.js';
import { showTracksAt } from './track-popup.js';
import { forgetDays } from './calendar.js';
import { loadStyle, showLoadingError } from './loading.js';
import { openLinkOfPage } from './shared-link.js';
import { renewOverlays, renewTimeline, showTimeline } from './overlays.js';
import { listenToSide, openSide, showSide, showWelcome } from './side.js';

/// How often the server is asked for its revision.
const POLL_MS = 2000;

let leaflet = null, moving = null, movingRequest = null, view = null;
let tileJSON = null, revision = null, loads = 0, wasEmpty = false, isBuilding = false, isApplied = false;

const path = () => 'tiles/' + encodeURIComponent(state.style) + '.json';
const zoom = () => map.currentZoom() ?? (tileJSON ? tileJSON.center[2] : null);

function updateLegend() {
  if (zoom() !== null) showLegend(zoom());
}

function moved() {
  updateLegend();
  moving?.zoomLive();
}

/// Shows the tiles for the state. While a period is being dragged, `isPassing`, the address stays.
async function load(isPassing = false) {
  const number = loads += 1;
  if (!isPassing) remember();
  showSelectedTrack();
  let found;
  try {
    found = await get(path(), parameters());
  } catch (error) {
    if (number === loads) showLoadError(error);
    return;
  }
  if (number !== loads) return;
  setNotice('load', '');
  tileJSON = found;
  // Other programs need the absolute URL, with the host name that the server gives.
  showAddress(tileJSON.tiles[0], address(path(), parameters()));
  tileJSON.tiles = [tileTemplate(state.style, tileJSON.tiles[0])];
  if (!map.isMovable()) (await import('./plain-map.js')).showPlain(tileJSON);
  else {
    const isCurrent = () => number === loads;
    if (map.isNew()) await openMap(tileJSON, { isEmpty: wasEmpty, isCurrent, showAll });
    if (!isCurrent()) return;
    map.showTiles(tileJSON);
  }
  updateLegend();
  if (isPassing) return;
  remember();
  if (!wasEmpty) showWhetherEmpty();
}

function showLoadError(error) {
  // If the server does not answer, everything is loaded again as soon as it does.
  if (error.status === 0) revision = null;
  const isMissing = error.status === 404;
  // The tiles on the map are those of something else.
  if (isMissing) {
    map.clearTiles();
    forgetTrack();
  }
  if (isMissing && state.track) setNotice('load', NO_SUCH_TRACK);
  else showError('load', error);
}

/// Shows a new revision of the library.
async function renew(health) {
  // `load`, below, needs it after the lists: requested together, the first view waits for one round trip less.
  if (revision === null) getEarly(path(), parameters());
  const [styles, layers] = await Promise.all([get('styles'), get('layers'), loadRamps(), loadBaseMaps()]);
  known.styles = [...withoutArchives(styles), ...otherTiles];
  showStyles(known.styles);
  isBuilding = showLayers(layers);
  checkColors();
  showState();
  const isFirst = revision === null;
  revision = known.revision = health.revision;
  // A map that was opened without tracks is opened again when there are some.
  if (wasEmpty && health.tracks > 0) map.forget();
  wasEmpty = health.tracks === 0;
  forgetLegend();
  forgetDays();
  showSide();
  // In the live view, the changed tiles have been loaded already.
  if (isFirst || !moving?.showsRevision(health.revision)) await load();
  if (map.isMovable()) {
    if (health.tracks > 0) renewTimeline(timelineActions);
    renewOverlays();
  }
  if (!isApplied) applyState();
  else moving?.renew();
  isApplied = true;
}

async function checkServer() {
  const health = await get('health').catch((error) => {
    if (error.value.status === 'rebuilding') return error.value;
    throw error;
  });
  if (health.status === 'rebuilding') {
    revision = null;
    setNotice('server', 'The map is being prepared…' + percentText(health.progress));
    return;
  }
  // Only callers who may read are told the revision.
  byId('sign-in').hidden = health.revision !== undefined && !byId('sign-in').dataset.wanted;
  if (health.revision === undefined) return;
  setPermissions(health.permissions);
  setNotice('degraded', health.reason ? refusal(0, { detail: health.reason }) : '');
  if (health.revision !== revision) await renew(health);
  else if (isBuilding) isBuilding = showLayers(await get('layers'));
  setNotice('server', '');
  showTotals(health);
  showWelcome(health.tracks === 0);
}

async function poll() {
  try {
    await checkServer();
  } catch (error) {
    revision = null;
    // A token that is not valid can be replaced.
    if (error.status === 401) byId('sign-in').hidden = false;
    setNotice('server', error.message);
  }
  setTimeout(poll, POLL_MS);
}

function showAll() {
  if (state.track && showTrack()) return;
  if (tileJSON) map.show(tileJSON);
}

/// Reads the URL, and reports the parts that are not valid. Returns the view if there is one.
function readAddress(hash) {
  const { view, ignored } = readFragment(hash);
  setNotice('address', ignored.length === 0 ? '' : 'Ignored in the address: ' + ignored.join(', ') + '.');
  return view;
}

/// Loads what moves on the map, if it has not been loaded.
function loadMoving() {
  movingRequest ||= Promise.all([import('./moving.js'), loadStyle('./player.css')]).then(([module]) => {
    module.start(leaflet);
    return moving = module;
  });
  // A failed request is repeated by the next call.
  movingRequest.catch(() => { movingRequest = null; });
  return movingRequest;
}

function changed() {
  showTimeline();
  step();
  load();
  showSide();
  if (state.play) moving?.showReplay();
}

/// Shows the facts of the track that was selected; moves the map to it if `isFar`.
async function openTrack(isFar) {
  showState();
  await Promise.all([load(), openSide('track')]);
  if (isFar) showTrack();
}

/// Shows all tracks again, as before a track was selected.
async function closeTrack() {
  if (state.play === 'track') moving?.close();
  const view = leaveTrack();
  if (state.panel === 'track') state.panel = '';
  step();
  showState();
  showSide();
  // Not before: the tiles of the track would be requested for the other view.
  await load();
  map.moveTo(view);
}

/// What the timeline calls: while a period is dragged, when it has been chosen, and before something is played there.
const timelineActions = {
  follow() {
    showState();
    load(true);
  },
  changed() {
    checkColors();
    showState();
    changed();
  },
  pause: () => moving?.close(),
};

function listen() {
  listenToSide({
    step, closeTrack, changed, changedView: timelineActions.changed, showBox: map.showBox, remember,
    selected: () => openTrack(true),
    play: () => byId('only-play').click(),
  });
  listenToPanel(changed, () => {
    step();
    showUnits();
    showSide();
  });
  listenToBasemap(() => {
    showBasemap();
    map.redrawGrid();
    if (state.play) moving?.showReplay();
    // Tiles and legend have colours for the background.
    forgetLegend();
    load();
  });
  byId('home').addEventListener('click', showAll);
  byId('only-end').addEventListener('click', closeTrack);
  byId('sign-in').addEventListener('submit', (event) => {
    event.preventDefault();
    location.search = '?key=' + encodeURIComponent(byId('token').value.trim());
  });
  // Another URL, entered or from the browser's history.
  addEventListener('hashchange', ({ newURL }) => {
    // `location` may already have been written to again.
    map.moveTo(readAddress(new URL(newURL).hash));
    showBasemap();
    showUnits();
    showState();
    showSide(true);
    showTimeline();
    map.redrawGrid();
    load();
    applyState();
  });
  listenToReplay();
}

function listenToReplay() {
  const on = (id, take) => byId(id).addEventListener('click', async () => {
    setNotice('replay', '');
    try {
      await take(await loadMoving());
    } catch (error) {
      showLoadingError('replay', error);
    }
  });
  on('replay', async (module) => {
    if (state.panel === 'play') await openSide('');
    await module.replayFrom(state.from);
    byId('play').focus();
  });
  on('only-play', (module) => module.replay('track'));
  on('live', (module) => module.toggleLive());
}

/// Starts the replay or the live view that is in the URL.
async function applyState() {
  if (!map.isMovable() || !moving && !state.play && !state.live) return;
  try {
    const module = await loadMoving();
    module.showReplay({ view: !view });
    module.showLive();
  } catch (error) {
    showLoadingError('replay', error);
  }
}

function begin() {
  getEarly('health');
  openLink();
  view = readAddress(location.hash);
  startHistory(map.currentView);
  listen();
  showBasemap();
  showState();
  if (map.isMovable()) {
    leaflet = map.makeMap(view, {
      moved,
      selected: (place, isByKey) => showTracksAt(place, map.currentZoom(), isByKey, () => openTrack(false)),
    });
  } else for (const id of ['home', 'play-part']) byId(id).hidden = true;
  showUnits();
  poll();
}

openLinkOfPage(begin);
