extension Page {
    /// How a replay begins.
    static let beginScript = #"""
        import { state } from './state.js';
        import { lastDay } from './calendar.js';
        import { showReplay } from './player.js';

        /// Begins a replay of all tracks from a day on; from the last day with tracks where none is named.
        export async function replayFrom(day) {
          const wanted = day || await lastDay();
          if (!wanted) return;
          state.play = wanted;
          state.at = '';
          await showReplay({ plays: true, view: state.follow === '1' });
        }

        /// Begins a replay of the track shown alone.
        export function replayTrack() {
          state.play = 'track';
          state.at = '';
          return showReplay({ plays: true, view: state.follow === '1' });
        }

        """#
}
