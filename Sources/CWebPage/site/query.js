import { parameters, state } from './state.js';
import { get, trackPath } from './server.js';
import { plusDays } from './days.js';

/// If a replay is too long for a manifest, only so many days of it are played.
const SHORTER_DAYS = [366, 92, 31, 7, 1];

/// Frames per second; fewer when many markers move.
const FRAME_RATE = 60, FRAME_RATE_TOGETHER = 10;
/// The zoom level of the explorer tiles that are counted.
const EXPLORER_ZOOM = 14;

let days;

/// Whether a single track is played.
export const isTrack = () => state.play === 'track';
/// Whether all tracks are played on one clock.
export const isTogether = () => !isTrack() && state.together === '1';
/// Whether the map shows the heat up to the instant that is played.
export const showsHeat = () => state.under ? state.under === 'heat' : !isTrack();
/// The number of days that are played if the replay was shortened, else undefined.
export const playedDays = () => days;

/// The path of the stream.
export const path = () => isTrack() ? trackPath(state.track) + '/replay' : 'v1/replay';

/// The parameters for what is played.
export function scopeParameters() {
  if (isTrack()) return {};
  const until = state.only === '1' ? state.play : days && plusDays(state.play, days - 1);
  return parameters(['layer', 'together'], { from: state.play, to: until || undefined });
}

/// The parameters for how fast it is played, and for the figures of explorer tiles that come with it.
export function speedParameters() {
  const { speed } = state, explorer = EXPLORER_ZOOM;
  return speed === 'max' ? { speed, explorer } : { speed, fps: isTogether() ? FRAME_RATE_TOGETHER : FRAME_RATE, explorer };
}

/// The manifest of the replay, shortened if necessary; null if `isWanted` has become false.
export async function loadManifest(isWanted) {
  const extents = isTrack() || state.only === '1' ? [undefined] : [undefined, ...SHORTER_DAYS];
  for (const extent of extents) {
    if (!isWanted()) return null;
    days = extent;
    try {
      return await get(path() + '/manifest', scopeParameters());
    } catch (error) {
      if (error.status !== 400 || extent === extents.at(-1)) throw error;
    }
  }
  return null;
}
