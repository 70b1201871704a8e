import { remember, state } from './state.js';
import { byId, setNotice, showError } from './document.js';
import { dayNextTo, lastDay } from './calendar.js';
import { makeMarkers } from './markers.js';
import { listenToControls } from './controls.js';
import * as player from './player.js';
import { scrub, skip } from './scrub.js';
import { makeLive, showLive } from './live.js';

// What moves on the map: replays and the live view. This module and those that it imports are loaded when the first
// replay or the live view begins.

export { showsRevision, showLive, zoomLive } from './live.js';
export { close, renew, showReplay } from './player.js';

/// Plays all tracks from a day on; without a day, from the last day with tracks.
export async function replayFrom(day) {
  const wanted = day || await lastDay();
  if (wanted) await replay(wanted);
}

/// Plays what `play` names: a day, or `track`.
export async function replay(play) {
  state.play = play;
  state.at = '';
  await player.showReplay({ plays: true, view: state.follow === '1' });
}

/// Switches the live view on or off.
export function toggleLive() {
  state.live = state.live === '1' && !state.play ? '' : '1';
  followLive();
}

function followLive() {
  if (state.live && player.isReplaying()) player.close();
  showLive();
  remember();
}

/// Starts to listen, on Leaflet's map.
export function start(leaflet) {
  const markers = makeMarkers(leaflet);
  leaflet.on('dragstart', () => player.stopFollowing());
  player.makePlayer(markers, showLive);
  makeLive(markers);
  byId('live-follow').addEventListener('change', () => {
    state.follow = byId('live-follow').checked ? '1' : '0';
    followLive();
  });
  const playDay = (day) => {
    setNotice('replay', '');
    replayFrom(day).catch((error) => showError('replay', error));
  };
  listenToControls({
    toggle: player.toggle, seek: player.seek, speed: player.setSpeed, scrub, skip,
    changed() {
      player.showReplay();
      remember();
    },
    again: () => player.showReplay({ plays: true }),
    day: playDay,
    async step(direction) {
      const day = await dayNextTo(player.playedDay(), direction).catch(() => null);
      if (day) playDay(day);
    },
    end() {
      player.close();
      showLive();
    },
  });
}
