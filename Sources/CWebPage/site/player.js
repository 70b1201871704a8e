import { known, remember, state } from './state.js';
import { follow } from './stream.js';
import { makePlayingTime } from './playing-time.js';
import { dayIn, loadZone } from './calendar.js';
import * as map from './map.js';
import { hideHeat, invalidateAll, showHeat } from './heat.js';
import {
  isTogether, isTrack, loadManifest, path, playedDays, scopeParameters, showsHeat, speedParameters,
} from './query.js';
import { requestFirstMovement } from './history.js';
import { counted, NO_SUCH_TRACK } from './text.js';
import { showControls, showPlayed, showPosition, showStatus, showTiles } from './controls.js';
import { colorByActivity } from './play-colors.js';
import { player, replay } from './replay.js';
import { forgetHistory, KINDS, on } from './replay-events.js';
import { isScrubbing, stopScrubbing } from './scrub.js';

/// While a replay plays, its position is put into the address of the page at most once in this time.
const ADDRESS_MS = 1000;

let beforeReplay = null, stream = null, requests = 0, requested = '';
let isWaiting = false, writtenAt = 0, playsWhenReady = false;

/// Whether there is a replay.
export const isReplaying = () => Boolean(state.play);

// Loading

/// Shows the replay that the state names; starts it if `plays`, and moves the map to it if `view`.
export async function showReplay({ plays = false, view = false } = {}) {
  if (!state.play || (isTrack() && (!state.track || state.track.includes(',')))) {
    close();
    return;
  }
  const wanted = [state.play, isTrack() ? state.track : state.layer, state.only, state.together].join();
  if (wanted === requested && !view) {
    showOptions();
    return;
  }
  const own = requests += 1;
  requested = wanted;
  playsWhenReady = false;
  beforeReplay();
  stop();
  clear();
  replay.manifest = replay.playingTime = replay.now = null;
  replay.wantsView = view;
  replay.seen = new Map();
  replay.isOver = false;
  showOptions();
  showStatus('Loading tracks…');
  try {
    const [found] = await Promise.all([loadManifest(() => own === requests), loadZone()]);
    if (own !== requests) return;
    take(found);
  } catch (error) {
    if (own === requests) fail(error);
    return;
  }
  if (replay.playingTime.stretches.length === 0) {
    showStatus('Nothing to play: no point has a time.');
    return;
  }
  showStatus('');
  replay.startInstant = state.at ? Date.parse(state.at) : await interestingStart();
  if (own !== requests) return;
  replay.now = { instant: replay.startInstant ?? replay.playingTime.at(0).instant };
  if (plays || playsWhenReady) play();
  else preview();
}

/// The instant before the first movement, if the first track begins with a rest.
function interestingStart() {
  const { track: index, from } = replay.playingTime.stretches[0];
  return index < 0 ? undefined : requestFirstMovement(replay.manifest.tracks[index].track, from);
}

function take(found) {
  replay.manifest = found;
  replay.playingTime = makePlayingTime(found, isTogether());
  replay.names = new Map(found.tracks.map((track) => [track.track, track]));
  showPlayed(found, replay.playingTime, isTogether());
  colorByActivity();
}

/// Loads the tracks again after a change of the library.
export async function renew() {
  if (!replay.playingTime) return;
  const own = requests;
  try {
    const found = await loadManifest(() => own === requests);
    if (!found || own !== requests || !replay.playingTime) return;
    take(found);
    invalidateAll();
    if (replay.now.track && !replay.names.has(replay.now.track)) seek(replay.now.instant);
    else scheduleUpdate();
  } catch (error) {
    // Other errors: it is loaded again after the next change.
    if (own === requests && error.status === 404) fail(error);
  }
}

function fail(error) {
  stop();
  requested = '';
  showStatus(error.status === 404 && isTrack() ? NO_SUCH_TRACK : error.message);
}

// Playing

/// Plays from the current position.
export function play() {
  if (!replay.playingTime || replay.isPlaying) return;
  if (replay.isPreviewing) stop();
  if (replay.isOver) {
    replay.isOver = false;
    replay.cursor = null;
    replay.startInstant = undefined;
    replay.seen = new Map();
    clear();
    invalidateAll();
  }
  const parameters = { ...scopeParameters(), ...speedParameters() }, key = path() + JSON.stringify(parameters);
  // The same query continues after the last event; another query begins at the current instant.
  if (replay.cursor?.key !== key || !replay.cursor.last) {
    const seek = replay.cursor ? replay.now.instant : replay.startInstant;
    replay.cursor = { key, parameters: seek === undefined ? parameters : { ...parameters, seek: iso(seek) }, last: '' };
    replay.soughtInstant = seek;
    replay.seen = new Map();
    replay.frames = replay.doubled = 0;
    replay.isFromBeginning = seek === undefined;
  }
  replay.isPlaying = true;
  stream = follow(path(), replay.cursor.parameters, KINDS, on, { last: replay.cursor.last, isNeverSilent: true });
  showStatus('');
  updateControls();
}

/// Pauses; `play` continues after the last event.
function pause() {
  stop();
  keepPosition();
  updateControls();
}

function stop() {
  if (stream && !replay.isPreviewing && replay.cursor) replay.cursor.last = stream.last();
  stream?.close();
  stream = null;
  replay.isPlaying = replay.isPreviewing = false;
  updateControls(false);
}

/// Plays or pauses; while the tracks are being loaded, it plays when they are ready.
export const toggle = () => replay.isPlaying ? pause() : replay.playingTime ? play() : playsWhenReady = !playsWhenReady;

/// Moves to an instant, and plays if `continues`.
export function seek(instant, continues = replay.isPlaying) {
  if (!replay.playingTime) return;
  stop();
  replay.cursor = null;
  replay.isOver = false;
  replay.startInstant = instant;
  replay.now = { instant };
  replay.isFromBeginning = false;
  replay.seen = new Map();
  clear();
  invalidateAll();
  showStatus('');
  if (continues) play();
  else preview();
}

/// Shows the marker at the current position, without playing.
function preview() {
  replay.isPreviewing = true;
  replay.soughtInstant = replay.startInstant;
  const seek = replay.startInstant === undefined ? undefined : iso(replay.startInstant);
  stream = follow(path(), { ...scopeParameters(), speed: '1', fps: '10', seek }, KINDS, on, { isNeverSilent: true });
  updateControls();
}

const iso = (instant) => new Date(instant).toISOString();

/// Continues at another speed.
export function setSpeed(speed) {
  const continues = replay.isPlaying;
  if (continues) stop();
  state.speed = speed;
  if (continues) play();
  else remember();
}

function clear() {
  forgetHistory();
  showTiles();
  replay.markers?.clear();
}

function end() {
  stop();
  replay.isOver = true;
  replay.cursor = null;
  showStatus(playedDays()
    ? 'End of the first ' + counted(playedDays(), 'day') + '; choose a later day to continue.' : 'End of the replay.');
  scheduleUpdate();
}

// Showing

/// Shows the current position with the next frame of the screen.
function scheduleUpdate() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    if (state.play && replay.playingTime && replay.now) show();
  });
}

function show() {
  const { playingTime, now, frames, doubled } = replay;
  const position = replay.isOver ? playingTime.length : playingTime.position(now.instant, now.track);
  if (!isScrubbing()) {
    const isCounted = state.speed === 'max' && replay.isFromBeginning;
    showPosition({
      position, length: playingTime.length, instant: now.instant, track: replay.names.get(now.track), speed: now.speed,
      metres: now.metres, color: isTogether() || !now.track ? '' : replay.markers.color(now.track),
      count: isCounted ? { frames, points: replay.manifest.points } : null, frames, doubled,
    });
  }
  if (state.follow === '1' && !replay.wantsView) map.keepInView(replay.markers.places(), isTogether());
  if (showsHeat()) {
    showHeat(replay.now.instant);
    // A request that came too soon is repeated, even if nothing moves any more.
    if (!replay.isPlaying) setTimeout(showHeatAgain, 1500);
  }
  if (performance.now() - writtenAt > ADDRESS_MS) keepPosition();
}

function showHeatAgain() {
  if (state.play && showsHeat() && replay.now) showHeat(replay.now.instant);
}

function keepPosition() {
  writtenAt = performance.now();
  if (replay.now) state.at = replay.isOver ? '' : iso(replay.now.instant).replace('.000Z', 'Z');
  remember();
}

/// Applies the options of the replay.
function showOptions() {
  replay.markers.setTrail(Number(state.trail) * 1000, !showsHeat() && !known.theme);
  if (showsHeat()) invalidateAll();
  else hideHeat();
  updateControls();
  scheduleUpdate();
}

function updateControls(isWhole = true) {
  showControls({ isPlaying: replay.isPlaying, isTrack: isTrack(), showsHeat: showsHeat(), isWhole });
}

/// Stops following, because the reader has moved the map.
export function stopFollowing() {
  if (!state.play && !state.live) return;
  state.follow = '0';
  updateControls();
}

/// The day at the current position.
export const playedDay = () => replay.now ? dayIn(replay.now.instant) : state.play;

/// Ends the replay.
export function close() {
  requests += 1;
  requested = '';
  if (stream) stop();
  stopScrubbing();
  replay.cursor = replay.manifest = replay.playingTime = replay.now = null;
  state.play = state.at = state.under = '';
  clear();
  hideHeat();
  updateControls();
  remember();
}

/// Sets the markers that move on the map; `before` is called when a replay begins to use them.
export function makePlayer(own, before) {
  replay.markers = own;
  beforeReplay = before;
  Object.assign(player, { clear, end, fail, play, renew, scheduleUpdate, seek, stop });
}
