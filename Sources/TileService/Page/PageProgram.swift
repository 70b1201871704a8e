extension Page {
    /// What is to be played, as the server is asked for it.
    static let programScript = #"""
        import { query, state } from './state.js';
        import { get } from './server.js';
        import { plusDays } from './days.js';

        /// Where a replay is too long for a manifest, so many days of it are played.
        const SHORTER_DAYS = [366, 92, 31, 7, 1];

        /// Frames in a second: as smooth as eyes want it; fewer where many dots move.
        const FRAMES = 25, FRAMES_TOGETHER = 10;

        let days;

        /// Whether a single track is played.
        export const isTrack = () => state.play === 'track';
        /// Whether all tracks are played on one clock.
        export const isTogether = () => !isTrack() && state.together === '1';
        /// Whether heat is shown as it was at the moment.
        export const isHeated = () => state.under ? state.under === 'heat' : !isTrack();
        /// How many days are played where it is not all; undefined where it is.
        export const daysPlayed = () => days;

        /// Where the stream is.
        export const path = () => isTrack() ? 'v1/tracks/' + encodeURIComponent(state.track) + '/replay' : 'v1/replay';

        /// What is played, as parameters.
        export function scope() {
          if (isTrack()) return {};
          const until = state.only === '1' ? state.play : days && plusDays(state.play, days - 1);
          return query(['layer', 'together'], { from: state.play, to: until || undefined });
        }

        /// How fast it is played, as parameters.
        export function pace() {
          const speed = state.speed;
          return speed === 'max' ? { speed } : { speed, fps: isTogether() ? FRAMES_TOGETHER : FRAMES };
        }

        /// The manifest of all of it, or of as many days as it may have; null where it is not wanted any more.
        export async function lookUp(isWanted) {
          const extents = isTrack() || state.only === '1' ? [undefined] : [undefined, ...SHORTER_DAYS];
          for (const extent of extents) {
            if (!isWanted()) return null;
            days = extent;
            try {
              return await get(path() + '/manifest', scope());
            } catch (error) {
              if (error.status !== 400 || extent === extents.at(-1)) throw error;
            }
          }
          return null;
        }

        """#
}
