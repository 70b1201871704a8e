extension Page {
    /// The page as a whole: it asks what there is, shows what is wanted, and goes along with the server.
    static let script = #"""
        import { byId, get, known, query, readAddress, say, state } from './state.js';
        import * as map from './map.js';
        import { listenToGround, showGround } from './ground.js';
        import { listenToPanel, showAddress, showLayers, showState, showStyles } from './panel.js';
        import { checkColors, forgetLegend, loadRamps, showLegend } from './colors.js';
        import { ask, forgetTrack, leaveTrack, showOnly, showTrack } from './place.js';

        const POLL_MS = 2000;
        const number = new Intl.NumberFormat();

        let tileJSON = null, revision = null, loads = 0, wasEmpty = false, isBuilding = false;

        const path = () => 'tiles/' + encodeURIComponent(state.style) + '.json' + query();
        const zoom = () => map.zoomShown() ?? (tileJSON ? tileJSON.center[2] : null);

        function tellColors() {
          if (zoom() !== null) showLegend(zoom());
        }

        /// Shows what the state says.
        async function load() {
          const load = loads += 1;
          map.remember();
          showOnly();
          let found;
          try {
            found = await get(path());
          } catch (error) {
            if (load !== loads) return;
            // What the server cannot show is not shown as something else.
            if (error.status === 404) {
              map.clearTiles();
              forgetTrack();
            }
            say('load', error.status === 404 && state.track ? 'There is no such track, or no longer.' : error.message);
            return;
          }
          if (load !== loads) return;
          say('load', '');
          tileJSON = found;
          showAddress(tileJSON.tiles[0], path());
          if (!map.isMovable()) map.showPlain(tileJSON);
          else {
            if (map.isNew()) map.show(tileJSON);
            map.showTiles(tileJSON);
          }
          tellColors();
          map.remember();
        }

        function tellTotals(health) {
          byId('totals').textContent = number.format(health.tracks) + (health.tracks === 1 ? ' track, ' : ' tracks, ')
            + number.format(health.points) + ' points' + (health.behind ? ', and more coming in' : '');
          say('empty', health.tracks === 0 ? 'Nothing here yet: import tracks with “tileserve import FOLDER”.' : '');
        }

        /// Takes up what a new revision brings.
        async function renew(health) {
          const [styles, layers] = await Promise.all([get('styles'), get('layers'), loadRamps()]);
          known.styles = styles;
          showStyles(styles);
          isBuilding = showLayers(layers);
          checkColors();
          showState();
          revision = health.revision;
          // A map of nothing opens anew when the first tracks are there.
          if (wasEmpty && health.tracks > 0) map.forget();
          wasEmpty = health.tracks === 0;
          forgetLegend();
          await load();
        }

        async function look() {
          const health = await get('health').catch((error) => {
            if (error.value.status === 'rebuilding') return error.value;
            throw error;
          });
          if (health.status !== 'ok') {
            revision = null;
            const share = health.progress === undefined ? '' : ' ' + Math.floor(health.progress * 100) + ' %';
            say('server', 'The map is being prepared…' + share);
            return;
          }
          if (health.revision !== revision) await renew(health);
          else if (isBuilding) isBuilding = showLayers(await get('layers'));
          say('server', '');
          tellTotals(health);
        }

        async function follow() {
          try {
            await look();
          } catch (error) {
            revision = null;
            say('server', error.message);
          }
          setTimeout(follow, POLL_MS);
        }

        function showAll() {
          if (state.track && showTrack()) return;
          if (tileJSON) map.show(tileJSON);
        }

        function listen() {
          listenToPanel(load);
          listenToGround(() => {
            showGround();
            map.redrawGround();
            map.remember();
          });
          byId('home').addEventListener('click', showAll);
          byId('only-end').addEventListener('click', () => {
            leaveTrack();
            showState();
            load();
          });
          // Another address, typed or gone back to.
          addEventListener('hashchange', () => {
            map.moveTo(readAddress());
            showGround();
            showState();
            map.redrawGround();
            load();
          });
        }

        const view = readAddress();
        listen();
        showGround();
        showState();
        showOnly();
        if (map.isMovable()) {
          map.makeMap(view, tellColors, (place) => ask(place, map.zoomShown(), () => {
            showState();
            load();
          }));
        } else byId('home').hidden = true;
        follow();

        """#
}
