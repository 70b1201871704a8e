import { state } from './state.js';
import { follow } from './stream.js';
import { makeTimeline } from './timeline.js';
import { dayIn, loadZone } from './calendar.js';
import * as map from './map.js';
import { heatStyle, hideHeat, invalidateAll, markChanged, showHeat } from './heat.js';
import {
  isTogether, isTrack, loadManifest, path, playedDays, scopeParameters, showsHeat, speedParameters,
} from './query.js';
import { requestHistory } from './history.js';
import { counted, durationText } from './text.js';
import { moveSlider, showControls, showPlayed, showPosition, showStatus } from './controls.js';

const KINDS = ['start', 'track', 'frame', 'gap', 'mark', 'track-end', 'end', 'reset'];
/// What an arrow key skips: seconds of real time, or of track time if every point is played.
const SKIP_SECONDS = 5, SKIP_POINTS_SECONDS = 60;
const ADDRESS_MS = 1000, SCRUB_MS = 150, GAP_MS = 3000;

let markers = null, beforeReplay = null, stream = null, cursor = null, manifest = null, timeline = null;
let isPlaying = false, isOver = false, isPreviewing = false, wantsView = false, requests = 0, requested = '';
let base = 0, startInstant, now = null, scrubTarget = null, scrubTimer = 0, wasPlaying = false;
let isWaiting = false, writtenAt = 0;
let isFromBeginning = false, playsWhenReady = false, cancelHistory = () => {};
let seen = new Map(), names = new Map(), frames = 0, doubled = 0;

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
  manifest = timeline = now = null;
  wantsView = view;
  seen = new Map();
  isOver = false;
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
  if (timeline.stretches.length === 0) {
    showStatus('Nothing to play: no point has a time.');
    return;
  }
  showStatus('');
  startInstant = state.at ? Date.parse(state.at) : undefined;
  now = { instant: startInstant ?? timeline.at(0).instant };
  if (plays || playsWhenReady) play();
  else preview();
}

function take(found) {
  manifest = found;
  timeline = makeTimeline(found, isTogether());
  names = new Map(found.tracks.map((track) => [track.track, track]));
  showPlayed(found, timeline, isTogether());
}

/// Loads the tracks again after a change of the library.
export async function renew() {
  if (!timeline) return;
  const own = requests;
  try {
    const found = await loadManifest(() => own === requests);
    if (!found || own !== requests || !timeline) return;
    take(found);
    invalidateAll();
    if (now.track && !names.has(now.track)) seek(now.instant);
    else scheduleUpdate();
  } catch (error) {
    // Other errors: it is loaded again after the next change.
    if (own === requests && error.status === 404) fail(error);
  }
}

function fail(error) {
  stop();
  requested = '';
  showStatus(error.status === 404 && isTrack() ? 'This track does not exist, or was removed.' : error.message);
}

// Playing

/// Plays from the current position.
export function play() {
  if (!timeline || isPlaying) return;
  if (isPreviewing) stop();
  if (isOver) {
    isOver = false;
    cursor = null;
    startInstant = undefined;
    seen = new Map();
    clear();
    invalidateAll();
  }
  const parameters = { ...scopeParameters(), ...speedParameters() }, key = path() + JSON.stringify(parameters);
  // The same query continues after the last event; another query begins at the current instant.
  if (cursor?.key !== key || !cursor.last) {
    const seek = cursor ? now.instant : startInstant;
    cursor = { key, parameters: seek === undefined ? parameters : { ...parameters, seek: iso(seek) }, last: '' };
    seen = new Map();
    frames = doubled = 0;
    isFromBeginning = seek === undefined;
  }
  isPlaying = true;
  stream = follow(path(), cursor.parameters, KINDS, on, { last: cursor.last, isNeverSilent: true });
  showStatus('');
  updateControls();
}

/// Pauses; `play` continues after the last event.
export function pause() {
  stop();
  remember();
  updateControls();
}

function stop() {
  if (stream && !isPreviewing && cursor) cursor.last = stream.last();
  stream?.close();
  stream = null;
  isPlaying = isPreviewing = false;
  updateControls(false);
}

/// Plays or pauses; while the tracks are being loaded, it plays when they are ready.
export const toggle = () => isPlaying ? pause() : timeline ? play() : playsWhenReady = !playsWhenReady;

/// Moves to an instant, and plays if `continues`.
export function seek(instant, continues = isPlaying) {
  if (!timeline) return;
  stop();
  cursor = null;
  isOver = false;
  startInstant = instant;
  now = { instant };
  isFromBeginning = false;
  seen = new Map();
  clear();
  invalidateAll();
  showStatus('');
  if (continues) play();
  else preview();
}

/// Shows the marker at the current position, without playing.
function preview() {
  isPreviewing = true;
  const seek = startInstant === undefined ? undefined : iso(startInstant);
  stream = follow(path(), { ...scopeParameters(), speed: '1', fps: '10', seek }, KINDS, on, { isNeverSilent: true });
  updateControls();
}

const iso = (instant) => new Date(instant).toISOString();

/// Continues at another speed.
export function setSpeed(speed) {
  const continues = isPlaying;
  if (continues) stop();
  state.speed = speed;
  if (continues) play();
  else map.remember();
}

// Events

const on = {
  event(kind, value) {
    handlers[kind](value);
    scheduleUpdate();
  },
  lost(why) {
    showStatus(why || 'Reconnecting…', true);
  },
  back() {
    showStatus('');
  },
  refused(error) {
    // The server does not know this cursor any more: continue at the current instant.
    if (error.status === 400 && cursor?.last) {
      const continues = isPlaying;
      stop();
      cursor.last = '';
      if (continues) play();
      return;
    }
    fail(error);
  },
  over: () => end(),
};

const handlers = {
  start(value) {
    base = value.t0;
  },
  track(value) {
    names.set(value.track, { ...names.get(value.track), ...value });
    if (!isTogether()) {
      now = { instant: Math.max(value.start, now.instant ?? value.start), track: value.track };
      invalidateAll();
    }
    if (!isTogether() && !markers.has(value.track)) loadHistory(value, now.instant);
    if (wantsView && value.bbox && map.showBox(value.bbox)) wantsView = false;
  },
  frame(value) {
    const instant = base + value.dt, last = seen.get(value.track);
    // Frames that were received again after a reconnect are skipped.
    if (last && (instant < last.instant || instant === last.instant && value.i <= last.i)) {
      doubled += 1;
      return;
    }
    if (isPreviewing && seen.size > 0 && instant > now.instant) {
      stop();
      return;
    }
    seen.set(value.track, { instant, i: value.i });
    frames += 1;
    markers.move(value.track, value.p, instant, value.c);
    if (showsHeat()) markChanged(value.track, value.p);
    now = { instant, track: value.track, speed: value.v, metres: value.d };
    if (isPreviewing && !isTogether()) stop();
  },
  gap(value) {
    markers.interrupt(value.track);
    if (isPlaying) showStatus(durationText(value.to - value.from) + ' later', false, GAP_MS);
  },
  mark(value) {
    markers.addWaypoint(value.track, value.p, value.name);
  },
  'track-end'(value) {
    if (!isTrack()) markers.leave(value.track);
    invalidateAll();
  },
  end: () => end(),
  async reset() {
    seen = new Map();
    clear();
    invalidateAll();
    showStatus('The tracks have changed.', false, GAP_MS);
    await renew();
  },
};

function clear() {
  cancelHistory();
  markers?.clear();
}

/// Loads the part of the trail before the place where a marker is set down.
function loadHistory({ track, start }, instant) {
  const from = Math.max(start, state.trail === '0' ? start : instant - Number(state.trail) * 1000);
  cancelHistory();
  if (from < instant) cancelHistory = requestHistory(track, from, instant, (points) => markers.precede(track, points));
}

function end() {
  stop();
  isOver = true;
  cursor = null;
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
    if (state.play && timeline && now) show();
  });
}

function show() {
  const position = isOver ? timeline.length : timeline.position(now.instant, now.track);
  if (!scrubTarget) {
    showPosition({
      position, length: timeline.length, instant: now.instant, track: names.get(now.track), speed: now.speed,
      metres: now.metres, color: isTogether() || !now.track ? '' : markers.color(now.track),
      count: state.speed === 'max' && isFromBeginning ? { frames, points: manifest.points } : null, frames, doubled,
    });
  }
  if (state.follow === '1' && !wantsView) map.keepInView(markers.places(), isTogether());
  if (showsHeat()) {
    showHeat(now.instant, heatStyle());
    // A request that came too soon is repeated, even if nothing moves any more.
    if (!isPlaying) setTimeout(() => state.play && showsHeat() && now && showHeat(now.instant, heatStyle()), 1500);
  }
  if (performance.now() - writtenAt > ADDRESS_MS) remember();
}

function remember() {
  writtenAt = performance.now();
  if (now) state.at = isOver ? '' : iso(now.instant).replace('.000Z', 'Z');
  map.remember();
}

/// Applies the options of the replay.
function showOptions() {
  const isDark = document.documentElement.dataset.background === 'dark';
  markers.setTrail(Number(state.trail) * 1000, !showsHeat() && !isDark);
  if (showsHeat()) invalidateAll();
  else hideHeat();
  updateControls();
  scheduleUpdate();
}

function updateControls(isWhole = true) {
  showControls({ isPlaying, isTrack: isTrack(), showsHeat: showsHeat(), isWhole });
}

// Slider and arrow keys

/// Moves the slider to a share, 0…1, of the playing time; the replay follows soon, or at once if `isFinal`.
export function scrub(share, isFinal = false) {
  if (!timeline) return;
  if (!scrubTarget) {
    wasPlaying = isPlaying;
    stop();
  }
  scrubTarget = timeline.at(Math.min(1, Math.max(0, share)) * timeline.length);
  moveSlider({ position: share * timeline.length, length: timeline.length, instant: scrubTarget.instant });
  clearTimeout(scrubTimer);
  scrubTimer = setTimeout(endScrub, isFinal ? 0 : SCRUB_MS, isFinal);
}

function endScrub(isFinal) {
  const { instant } = scrubTarget;
  // While the slider is held, only the marker is shown.
  seek(instant, isFinal && wasPlaying);
  if (isFinal) scrubTarget = null;
}

/// Skips some seconds back (-1) or forward (1).
export function skip(direction) {
  if (!timeline || !now) return;
  const seconds = state.speed === 'max' ? SKIP_POINTS_SECONDS : SKIP_SECONDS * Number(state.speed);
  const from = scrubTarget ? timeline.position(scrubTarget.instant) : timeline.position(now.instant, now.track);
  const continues = scrubTarget ? wasPlaying : isPlaying;
  scrub((from + direction * seconds * 1000) / timeline.length);
  clearTimeout(scrubTimer);
  wasPlaying = continues;
  scrubTimer = setTimeout(endScrub, SCRUB_MS, true);
}

/// Stops following, because the reader has moved the map.
export function stopFollowing() {
  if (!state.play && !state.live) return;
  state.follow = '0';
  updateControls();
}

/// The day at the current position.
export const playedDay = () => now ? dayIn(now.instant) : state.play;

/// Ends the replay.
export function close() {
  requests += 1;
  requested = '';
  if (stream) stop();
  clearTimeout(scrubTimer);
  cursor = manifest = timeline = now = scrubTarget = null;
  state.play = state.at = state.under = '';
  clear();
  hideHeat();
  updateControls();
  map.remember();
}

/// Sets the markers that move on the map; `before` is called when a replay begins to use them.
export function makePlayer(own, before) {
  markers = own;
  beforeReplay = before;
}
