import { state } from './state.js';
import { moveSlider } from './controls.js';
import { player, replay } from './replay.js';

/// What an arrow key skips: seconds of real time, or of track time if every point is played.
const SKIP_SECONDS = 5, SKIP_POINTS_SECONDS = 60;
/// The replay follows the slider after this time.
const SCRUB_MS = 150;

let scrubTarget = null, scrubTimer = 0, wasPlaying = false;

/// Whether the slider is held, or has just been moved.
export const isScrubbing = () => Boolean(scrubTarget);

/// Moves the slider to a share, 0…1, of the playing time; the replay follows soon. `isFinal` says that the slider is
/// released: then the replay follows at once.
export function scrub(share, isFinal = false) {
  if (!replay.playingTime) return;
  if (!scrubTarget) {
    wasPlaying = replay.isPlaying;
    player.stop();
  }
  const { length } = replay.playingTime;
  scrubTarget = replay.playingTime.at(Math.min(1, Math.max(0, share)) * length);
  moveSlider({ position: share * length, length, instant: scrubTarget.instant });
  clearTimeout(scrubTimer);
  scrubTimer = setTimeout(endScrub, isFinal ? 0 : SCRUB_MS, isFinal);
}

function endScrub(isFinal) {
  const { instant } = scrubTarget;
  // While the slider is held, only the marker is shown.
  player.seek(instant, isFinal && wasPlaying);
  if (isFinal) scrubTarget = null;
}

/// Skips some seconds back (-1) or forward (1).
export function skip(direction) {
  if (!replay.playingTime || !replay.now) return;
  const seconds = state.speed === 'max' ? SKIP_POINTS_SECONDS : SKIP_SECONDS * Number(state.speed);
  const { playingTime, now } = replay;
  const from = scrubTarget ? playingTime.position(scrubTarget.instant) : playingTime.position(now.instant, now.track);
  const continues = scrubTarget ? wasPlaying : replay.isPlaying;
  scrub((from + direction * seconds * 1000) / replay.playingTime.length);
  clearTimeout(scrubTimer);
  wasPlaying = continues;
  scrubTimer = setTimeout(endScrub, SCRUB_MS, true);
}

/// Forgets where the slider was moved to.
export function stopScrubbing() {
  clearTimeout(scrubTimer);
  scrubTarget = null;
}
