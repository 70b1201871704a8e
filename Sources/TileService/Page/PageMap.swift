extension Page {
    /// The map and its tiles.
    static let mapScript = #"""
        import { byId, element, say, writeAddress } from './state.js';
        import { drawGround, makeGround } from './ground.js';
        import { makeTiles } from './tiles.js';

        const DEEPEST = 22;
        /// A whole library is never shown larger than this.
        const CLOSEST = 16;
        /// The address is written once in this time at most: browsers refuse pages that do it all the time.
        const WRITING_MS = 500;
        /// A dot that comes so near to an edge, as a share of the map, is brought back to the middle.
        const MARGIN = 0.12;
        const PAN_SECONDS = 0.5, FITTING_MS = 1500;

        let map = null, tiles = null, usual = '', moment = '', opened = false, writing = 0, fitting = 0;

        /// Whether there is a map to move; without Leaflet there is a picture.
        export const isMovable = () => Boolean(window.L);
        export const zoomShown = () => map && opened ? map.getZoom() : null;

        /// Pixels at the right and at the bottom that the panel and the player cover.
        function covered() {
          let [right, bottom] = [0, 0];
          for (const id of ['panel', 'player']) {
            const { width, top, left } = byId(id).getBoundingClientRect();
            if (width === 0) continue;
            if (id === 'panel' && width < innerWidth * 0.8) right = innerWidth - left;
            else bottom = Math.max(bottom, innerHeight - top);
          }
          return [right, bottom];
        }

        /// Makes the map, opened at `view` if there is one; `moved` is called when it has moved, `asked` with a place.
        export function makeMap(view, moved, asked) {
          map = L.map('map', { worldCopyJump: true, maxZoom: DEEPEST, zoomControl: false });
          map.attributionControl.setPrefix(false);
          L.control.zoom({ position: 'topleft' }).addTo(map);
          L.control.scale({ position: 'bottomleft', imperial: false }).addTo(map);
          makeGround(map);
          const settled = () => {
            document.documentElement.style.setProperty('--covered', covered()[1] + 'px');
            if (opened) drawGround(map, covered()[1]);
          };
          map.on('moveend', () => {
            settled();
            remember();
            moved();
          });
          const observer = new ResizeObserver(settled);
          for (const id of ['panel', 'player']) observer.observe(byId(id));
          map.on('click', (event) => asked(event.latlng));
          // Leaflet moves the focus by script, which browsers take for a keyboard's.
          const root = document.documentElement.dataset;
          addEventListener('keydown', () => { root.keys = '1'; }, true);
          addEventListener('pointerdown', () => { delete root.keys; }, true);
          byId('map').addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && event.target === byId('map')) asked(map.getCenter());
          });
          moveTo(view);
          return map;
        }

        /// Moves to [zoom level, latitude, longitude].
        export function moveTo(view) {
          if (!map || !view) return;
          opened = true;
          map.setView([view[1], view[2]], view[0]);
        }

        /// Writes the state and the place shown into the address, soon.
        export function remember() {
          writing ||= setTimeout(() => {
            writing = 0;
            if (opened) writeAddress(map.getZoom(), map.getCenter());
            else writeAddress();
          }, WRITING_MS);
        }

        /// What is shown, [zoom level, latitude, longitude]; null where there is nothing.
        export function viewShown() {
          if (!map || !opened) return null;
          const { lat, lng } = map.getCenter();
          return [map.getZoom(), lat, lng];
        }

        /// The lines of the ground as the state has them now.
        export function redrawGround() {
          if (map && opened) drawGround(map, covered()[1]);
        }

        /// Moves to where a box and its centre, as TileJSON has them, fill the map.
        export function show({ bounds, center }) {
          if (!map) return;
          const [west, south, east, north] = bounds;
          const [longitude, latitude, zoom] = center;
          opened = true;
          if (east - west >= 360) {
            map.setView([latitude, longitude], zoom);
            return;
          }
          map.fitBounds([[south, west], [north, east]], { maxZoom: CLOSEST, paddingBottomRight: covered(), animate: false });
        }

        /// Moves to where a box [west, south, east, north] fills the map; false where it cannot.
        export function showBox([west, south, east, north]) {
          if (!map || west > east) return false;
          opened = true;
          map.fitBounds([[south, west], [north, east]], { ...paddings(), maxZoom: CLOSEST, animate: false });
          return true;
        }

        /// Of what is seen of the map, the middle.
        function paddings() {
          const [right, bottom] = covered(), size = map.getSize();
          const [x, y] = [(size.x - right) * MARGIN, (size.y - bottom) * MARGIN];
          return { paddingTopLeft: [x, y], paddingBottomRight: [right + x, bottom + y] };
        }

        /// Moves the map where places, [longitude, latitude], are about to leave what is seen of it; so far out that all of
        /// them are in it where there are many.
        export function keepInView(places, isMany) {
          if (!map || !opened || places.length === 0) return;
          const [right, bottom] = covered(), size = map.getSize();
          const [width, height] = [size.x - right, size.y - bottom];
          const points = places.map(([longitude, latitude]) => {
            const near = longitude + Math.round((map.getCenter().lng - longitude) / 360) * 360;
            return map.latLngToContainerPoint([latitude, near]);
          });
          const isIn = ({ x, y }) => x > width * MARGIN && x < width * (1 - MARGIN) && y > height * MARGIN && y < height * (1 - MARGIN);
          if (points.every(isIn)) return;
          if (isMany && points.length > 1) {
            if (performance.now() < fitting) return;
            fitting = performance.now() + FITTING_MS;
            map.fitBounds(places.map(([longitude, latitude]) => [latitude, longitude]), {
              ...paddings(), maxZoom: map.getZoom(),
            });
            return;
          }
          // A pan under way goes on; Leaflet jumps by itself where it is too far for one.
          if (map.getContainer().contains(document.querySelector('.leaflet-pan-anim'))) return;
          const [point] = points;
          map.panBy([point.x - width / 2, point.y - height / 2], { duration: PAN_SECONDS, easeLinearity: 0.6 });
        }

        /// Whether the map has never shown a place.
        export const isNew = () => !opened;
        /// Lets the map open anew.
        export function forget() {
          opened = false;
        }

        const sharp = (url) => url.replace('.png', L.Browser.retina ? '@2x.png' : '.png');

        function showTemplate() {
          const template = moment || usual;
          if (!template || !tiles) return Promise.resolve();
          tiles.setTemplate(sharp(template));
          if (map.hasLayer(tiles.layer)) return tiles.renew();
          tiles.layer.addTo(map);
          return Promise.resolve();
        }

        /// Shows the tiles that a TileJSON tells of.
        export function showTiles(tileJSON) {
          usual = tileJSON.tiles[0];
          if (!tiles) {
            tiles = makeTiles({
              minZoom: tileJSON.minzoom, maxZoom: DEEPEST, maxNativeZoom: tileJSON.maxzoom,
              attribution: tileJSON.attribution ? element('span', '', tileJSON.attribution).innerHTML : '',
            });
          }
          if (!moment || !map.hasLayer(tiles.layer)) showTemplate();
        }

        /// Shows tiles as they were at a moment instead, or the usual ones again where `template` is ''; `test` tells which
        /// of those on the map, by {x, y, z}, are others by it. Over when all have come.
        export function showMoment(template, test) {
          if (moment === template) return Promise.resolve();
          const isNext = moment && template && test;
          moment = template;
          if (!isNext) return showTemplate();
          tiles.setTemplate(sharp(template));
          return tiles.renew(test);
        }

        /// Exchanges the tiles for which `test`, given {x, y, z}, is true for those of a revision.
        export function renewTiles(revision, test) {
          // With another address, lest a browser takes what it has.
          usual = usual.replace(/([?&]v=)[^&]*/, '$1' + encodeURIComponent(revision));
          if (!tiles || moment) return;
          tiles.setTemplate(sharp(usual));
          tiles.renew(test);
        }

        /// Shows no tiles: what is no longer there is no longer seen.
        export function clearTiles() {
          usual = '';
          if (tiles && !moment) map.removeLayer(tiles.layer);
        }

        /// A box with words at a place of the map.
        export function popUp(place, content) {
          L.popup({ maxWidth: 260, minWidth: 180, autoPanPaddingBottomRight: covered() })
            .setLatLng(place).setContent(content).openOn(map);
        }

        /// Closes that box.
        export function closePopUp() {
          if (map) map.closePopup();
        }

        /// Without Leaflet: the tiles round the middle of the data, as they are.
        export function showPlain(tileJSON) {
          const [longitude, latitude, zoom] = tileJSON.center;
          const side = 2 ** zoom, sine = Math.sin(latitude * Math.PI / 180);
          const across = Math.floor((longitude + 180) / 360 * side);
          const down = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side);
          const plain = element('div', 'plain');
          for (let row = down - 2; row <= down + 2; row++) {
            for (let column = across - 2; column <= across + 2; column++) {
              const image = element('img');
              image.alt = '';
              if (row >= 0 && row < side && column >= 0 && column < side) {
                image.src = tileJSON.tiles[0].replace('{z}', zoom).replace('{x}', column).replace('{y}', row);
              }
              plain.append(image);
            }
          }
          byId('map').replaceChildren(plain);
          say('leaflet', 'To move the map, install Leaflet (on Debian: apt install libjs-leaflet) and restart the server.');
        }

        """#
}
