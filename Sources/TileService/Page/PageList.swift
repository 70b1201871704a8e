extension Page {
    /// The list of tracks in the panel, newest first.
    static let listScript = #"""
        import { byId, choosing, element, query } from './state.js';
        import { get } from './server.js';
        import { choose, facts } from './place.js';

        const LENGTH = 30;

        let asked = 0, next = null, listed = new Map();

        /// Lists the tracks of the layer and the time shown, if the list is open.
        export async function showTracks() {
          if (!byId('tracks-list').open) return;
          byId('tracks-lines').replaceChildren();
          listed = new Map();
          next = null;
          await more();
        }

        async function more() {
          const number = asked += 1;
          byId('tracks-more').hidden = true;
          const found = await get('v1/tracks', query(choosing, { limit: LENGTH, after: next ?? undefined })).catch(() => null);
          if (number !== asked || !found) return;
          next = found.next ?? null;
          byId('tracks-more').hidden = !next;
          byId('tracks-lines').append(...found.tracks.map((track) => {
            const button = element('button', '', element('b', '', track.name || track.activity || 'Track'),
              element('span', '', facts(track)));
            button.type = 'button';
            button.dataset.track = track.id;
            listed.set(track.id, track);
            return element('li', '', button);
          }));
          if (byId('tracks-lines').childElementCount === 0) {
            byId('tracks-lines').append(element('li', 'rest', 'No tracks in this time.'));
          }
        }

        /// Calls `chosen` when the reader chooses one of them, which is shown alone then.
        export function listenToTracks(chosen) {
          byId('tracks-list').addEventListener('toggle', showTracks);
          byId('tracks-more').addEventListener('click', more);
          byId('tracks-lines').addEventListener('click', (event) => {
            const { track } = event.target.closest('button')?.dataset ?? {};
            if (!track) return;
            choose(listed.get(track));
            chosen();
          });
        }

        """#
}
