extension Page {
    /// What is at a place of the map, and a single track shown by itself.
    static let placeScript = #"""
        import { byId, choosing, element, known, query, say, state } from './state.js';
        import { get } from './server.js';
        import { closePopUp, popUp, showBox, viewShown } from './map.js';
        import { written } from './days.js';

        const number = new Intl.NumberFormat();
        const LINES = 'tracks', LINES_ON_DARK = 'tracks-dark';
        /// What a single track is shown without, or otherwise.
        const left = ['style', 'minus', 'ramp', 'span'];

        let asked = 0, names = new Map();

        /// Asks which tracks pass a place and tells in a box; `chosen` is called when one of them is chosen.
        export async function ask(place, zoom, chosen) {
          const number = asked += 1;
          const { lat, lng } = place.wrap();
          try {
            const found = await get('v1/at', query(choosing, { lon: lng.toFixed(6), lat: lat.toFixed(6), z: zoom }));
            if (number !== asked) return;
            say('place', '');
            if (found.count > 0) popUp(place, told(found, chosen));
            else closePopUp();
          } catch (error) {
            if (number !== asked) return;
            closePopUp();
            say('place', error.status === 404 ? '' : error.message);
          }
        }

        function told(found, chosen) {
          const days = number.format(found.count) + (found.count === 1 ? ' day' : ' days');
          const parts = [element('p', 'many', days + ' somebody was here')];
          if (found.first) {
            const ends = [...new Set([found.first, found.last].filter(Boolean).map(written))].join(' – ');
            const share = found.quantile > 0.5 ? '; busier than ' + Math.floor(found.quantile * 100) + ' % of all places' : '';
            parts.push(element('p', 'when', ends + share));
          }
          const items = found.tracks.map((track) => {
            const name = track.name || track.activity || 'Track';
            const button = element('button', '', element('b', '', name), element('span', '', facts(track)));
            button.type = 'button';
            button.addEventListener('click', () => {
              closePopUp();
              choose({ ...track, name });
              chosen();
            });
            return element('li', '', button);
          });
          if (items.length > 0) parts.push(element('ul', 'tracks', ...items));
          if (found.more) parts.push(element('p', 'when', 'and more; look closer to see them'));
          return element('div', 'found', ...parts);
        }

        /// A track's activity and day.
        export const facts = (track) =>
          [track.name ? track.activity : '', track.start ? written(track.start) : ''].filter(Boolean).join(', ');

        /// From here on only this track is shown, as a line.
        export function choose(track) {
          names.set(track.id, track);
          if (!state.track) state.back = kept();
          state.track = track.id;
          state.minus = state.ramp = state.span = '';
          const wanted = document.documentElement.dataset.ground === 'dark' ? LINES_ON_DARK : LINES;
          if (known.styles.some(({ name }) => name === wanted)) state.style = wanted;
        }

        /// What is shown now, to be come back to.
        function kept() {
          const parts = new URLSearchParams();
          for (const name of left) if (state[name]) parts.set(name, state[name]);
          const view = viewShown();
          if (view) parts.set('map', [view[0], view[1].toFixed(5), view[2].toFixed(5)].join('/'));
          return parts.toString();
        }

        /// From here on all tracks are shown again, as they were; gives the view from before if there was one.
        export function leaveTrack() {
          const parts = new URLSearchParams(state.back);
          for (const name of left) state[name] = parts.get(name) || (name === 'style' ? 'heat' : '');
          state.track = state.back = '';
          const view = (parts.get('map') || '').split('/').map(Number);
          return view.length === 3 && view.every(Number.isFinite) ? view : null;
        }

        /// Tells which track is shown alone.
        export async function showOnly() {
          byId('only').hidden = !state.track;
          byId('home').textContent = state.track ? 'Show all of it on the map' : 'Show all on the map';
          if (!state.track) return;
          const ids = state.track.split(',');
          byId('only-play').hidden = ids.length > 1;
          byId('only-name').textContent = ids.length > 1 ? ids.length + ' tracks alone' : 'One track alone';
          if (ids.length > 1) return;
          const track = names.get(state.track) || await get('v1/tracks/' + encodeURIComponent(state.track)).catch(() => null);
          if (!track || track.id !== state.track) return;
          names.set(track.id, track);
          byId('only-name').replaceChildren(element('b', '', track.name || 'One track'), ' ' + facts(track));
        }

        /// Takes the name away of a track that is not there.
        export function forgetTrack() {
          names.delete(state.track);
          closePopUp();
          showOnly();
        }

        /// Moves to the track shown alone, if its box is known; false if it is not.
        export function showTrack() {
          const { bbox } = names.get(state.track) || {};
          return Boolean(bbox) && showBox(bbox);
        }

        """#
}
