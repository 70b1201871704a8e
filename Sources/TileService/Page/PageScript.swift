extension Page {
    /// The page as a whole: it asks what there is, shows what is wanted, and goes along with the server.
    static let script = #"""
        import { byId, known, query, readAddress, say, state } from './state.js';
        import { address, get } from './server.js';
        import * as map from './map.js';
        import { listenToGround, showGround } from './ground.js';
        import { listenToPanel, showAddress, showLayers, showState, showStyles } from './panel.js';
        import { checkColors, forgetLegend, loadRamps, showLegend } from './colors.js';
        import { ask, forgetTrack, leaveTrack, showOnly, showTrack } from './place.js';
        import { listenToTracks, showTracks } from './list.js';
        import { dayNextTo, forgetDays } from './calendar.js';
        import { makeDots } from './dots.js';
        import { listenToDesk } from './desk.js';
        import { replayFrom, replayTrack } from './begin.js';
        import { listenToFiles } from './import.js';
        import * as player from './player.js';
        import { hasTold, listenToLive, makeLive, showLive, zoomLive } from './live.js';

        const POLL_MS = 2000;
        const number = new Intl.NumberFormat();

        let tileJSON = null, revision = null, loads = 0, wasEmpty = false, isBuilding = false, isTakenUp = false;

        const path = () => 'tiles/' + encodeURIComponent(state.style) + '.json';
        const zoom = () => map.zoomShown() ?? (tileJSON ? tileJSON.center[2] : null);

        function tellColors() {
          if (zoom() !== null) showLegend(zoom());
        }

        function moved() {
          tellColors();
          zoomLive();
        }

        /// Shows what the state says.
        async function load() {
          const load = loads += 1;
          map.remember();
          showOnly();
          let found;
          try {
            found = await get(path(), query());
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
          showAddress(tileJSON.tiles[0], address(path(), query()));
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
          say('empty', health.tracks === 0 ? 'Nothing here yet: drop track files here, or import them with “tileserve import FOLDER”.' : '');
        }

        /// Takes up what a new revision brings.
        async function renew(health) {
          const [styles, layers] = await Promise.all([get('styles'), get('layers'), loadRamps()]);
          known.styles = styles;
          showStyles(styles);
          isBuilding = showLayers(layers);
          checkColors();
          showState();
          const isFirst = revision === null;
          revision = known.revision = health.revision;
          // A map of nothing opens anew when the first tracks are there.
          if (wasEmpty && health.tracks > 0) map.forget();
          wasEmpty = health.tracks === 0;
          forgetLegend();
          forgetDays();
          showTracks();
          // Of what changes while one watches, only some tiles are asked for.
          if (isFirst || !hasTold(health.revision)) await load();
          if (!isTakenUp) takeUp();
          else player.renew();
          isTakenUp = true;
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
          listenToFiles();
          listenToPanel(() => {
            load();
            showTracks();
            if (player.isReplaying()) player.showReplay();
          });
          listenToGround(() => {
            showGround();
            map.redrawGround();
            if (player.isReplaying()) player.showReplay();
            map.remember();
          });
          byId('home').addEventListener('click', showAll);
          byId('only-end').addEventListener('click', () => {
            if (state.play === 'track') player.close();
            const view = leaveTrack();
            showState();
            load();
            map.moveTo(view);
          });
          // Another address, typed or gone back to.
          addEventListener('hashchange', () => {
            map.moveTo(readAddress());
            showGround();
            showState();
            map.redrawGround();
            load();
            takeUp();
          });
          listenToReplay();
        }

        function listenToReplay() {
          byId('replay').addEventListener('click', () => replayFrom(state.from).catch(complain));
          byId('only-play').addEventListener('click', () => replayTrack().catch(complain));
          listenToTracks(() => {
            showState();
            load().then(showTrack);
          });
          listenToLive(() => {
            if (state.live && player.isReplaying()) player.close();
            showLive();
            map.remember();
          });
          listenToDesk({
            ...player,
            speed: player.setSpeed,
            changed() {
              player.showReplay();
              map.remember();
            },
            again: () => player.showReplay({ plays: true }),
            day: replayFrom,
            async step(direction) {
              const day = await dayNextTo(player.dayPlayed(), direction).catch(() => null);
              if (day) replayFrom(day);
            },
            end() {
              player.close();
              showLive();
            },
          });
        }

        const complain = (error) => say('replay', error.message);

        /// Takes up the replay that an address names, or what is live.
        function takeUp() {
          if (!map.isMovable()) return;
          player.showReplay({ view: !view });
          showLive();
        }

        const view = readAddress();
        listen();
        showGround();
        showState();
        showOnly();
        if (map.isMovable()) {
          const leaflet = map.makeMap(view, moved, (place) => ask(place, map.zoomShown(), () => {
            showState();
            load();
          }));
          leaflet.on('dragstart', () => player.letGo());
          const dots = makeDots(leaflet);
          player.makePlayer(dots, showLive);
          makeLive(dots);
        } else for (const id of ['home', 'playing']) byId(id).hidden = true;
        follow();

        """#
}
