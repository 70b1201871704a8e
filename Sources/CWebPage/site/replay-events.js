import { state } from './state.js';
import * as map from './map.js';
import { invalidateAll, markChanged } from './heat.js';
import { isTogether, isTrack, showsHeat } from './query.js';
import { requestHistory } from './history.js';
import { durationText } from './text.js';
import { showStatus, showTiles } from './controls.js';
import { player, replay } from './replay.js';

/// The kinds of events that are handled.
export const KINDS = ['start', 'track', 'frame', 'gap', 'mark', 'photo', 'explorer', 'track-end', 'end', 'reset'];
/// How long a message about a gap is shown.
const GAP_MS = 3000;

let cancelHistory = () => {};

/// What is done with the events of the stream.
export const on = {
  event(kind, value) {
    handlers[kind](value);
    player.scheduleUpdate();
  },
  lost(why) {
    showStatus(why || 'Reconnecting…', true);
  },
  back() {
    showStatus('');
  },
  refused(error) {
    // The server does not know this cursor any more: continue at the current instant.
    if (error.status === 400 && replay.cursor?.last) {
      const continues = replay.isPlaying;
      player.stop();
      replay.cursor.last = '';
      if (continues) player.play();
      return;
    }
    player.fail(error);
  },
  over: () => player.end(),
};

const handlers = {
  start(value) {
    replay.base = value.t0;
  },
  track(value) {
    replay.names.set(value.track, { ...replay.names.get(value.track), ...value });
    if (!isTogether()) {
      // The first track may begin in its middle, after a jump. Each other track begins at its start, even if the track
      // before it has not ended.
      const instant = Math.max(value.start, replay.soughtInstant ?? value.start);
      replay.soughtInstant = undefined;
      replay.now = { instant, track: value.track };
      invalidateAll();
      if (!replay.markers.has(value.track)) loadHistory(value, instant);
    }
    if (replay.wantsView && value.bbox && map.showBox(value.bbox)) replay.wantsView = false;
  },
  frame(value) {
    const instant = replay.base + value.dt, last = replay.seen.get(value.track);
    // Frames that were received again after a reconnect are skipped.
    if (last && (instant < last.instant || instant === last.instant && value.i <= last.i)) {
      replay.doubled += 1;
      return;
    }
    if (replay.isPreviewing && replay.seen.size > 0 && instant > replay.now.instant) {
      player.stop();
      return;
    }
    replay.seen.set(value.track, { instant, i: value.i });
    replay.frames += 1;
    replay.markers.move(value.track, value.p, instant, value.c);
    if (showsHeat()) markChanged(value.track, value.p);
    replay.now = { instant, track: value.track, speed: value.v, metres: value.d };
    if (replay.isPreviewing && !isTogether()) player.stop();
  },
  gap(value) {
    replay.markers.interrupt(value.track);
    if (replay.isPlaying) showStatus(durationText(value.to - value.from) + ' later', false, GAP_MS);
  },
  mark(value) {
    replay.markers.addWaypoint(value.track, value.p, value.name);
  },
  async photo(value) {
    if (replay.isPreviewing) return;
    const { showReplayPhoto } = await import('./replay-photo.js').catch(() => ({}));
    showReplayPhoto?.(value);
  },
  explorer(value) {
    showTiles(value);
  },
  'track-end'(value) {
    if (!isTrack()) replay.markers.leave(value.track);
    invalidateAll();
  },
  end: () => player.end(),
  async reset() {
    replay.seen = new Map();
    replay.soughtInstant = replay.now?.instant;
    player.clear();
    invalidateAll();
    showStatus('The tracks have changed.', false, GAP_MS);
    await player.renew();
  },
};

/// Loads the part of the trail behind a marker that begins in the middle of its track.
function loadHistory({ track, start }, instant) {
  const from = Math.max(start, state.trail === '0' ? start : instant - Number(state.trail) * 1000);
  cancelHistory();
  if (from >= instant) return;
  cancelHistory = requestHistory(track, from, instant, (points) => replay.markers.precede(track, points));
}

/// Stops loading the part of the trail behind the marker.
export function forgetHistory() {
  cancelHistory();
}
