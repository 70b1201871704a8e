extension Page {
    /// The map and its tiles.
    static let mapScript = #"""
        import { byId, element, say, writeAddress } from './state.js';
        import { drawGround, makeGround } from './ground.js';

        const DEEPEST = 22;
        /// A whole library is never shown larger than this.
        const CLOSEST = 16;
        /// A tile that was not drawn is asked for again after this time, then after twice as long, and so on.
        const RETRY_MS = 2000, MOST_RETRIES = 6;

        let map = null, shown = [], opened = false, missing = new Set();

        /// Whether there is a map to move; without Leaflet there is a picture.
        export const isMovable = () => Boolean(window.L);
        export const zoomShown = () => map && opened ? map.getZoom() : null;

        /// Pixels at the bottom and at the right that the panel covers.
        function covered() {
          const panel = byId('panel').getBoundingClientRect();
          const isSheet = panel.width > innerWidth * 0.8;
          return isSheet ? [0, innerHeight - panel.top] : [innerWidth - panel.left, 0];
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
          new ResizeObserver(settled).observe(byId('panel'));
          map.on('click', (event) => asked(event.latlng));
          // Leaflet moves the focus by script, which browsers take for a keyboard's.
          const root = document.documentElement.dataset;
          addEventListener('keydown', () => { root.keys = '1'; }, true);
          addEventListener('pointerdown', () => { delete root.keys; }, true);
          byId('map').addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && event.target === byId('map')) asked(map.getCenter());
          });
          moveTo(view);
        }

        /// Moves to [zoom level, latitude, longitude].
        export function moveTo(view) {
          if (!map || !view) return;
          opened = true;
          map.setView([view[1], view[2]], view[0]);
        }

        /// Writes the state and the place shown into the address.
        export function remember() {
          if (opened) writeAddress(map.getZoom(), map.getCenter());
          else writeAddress();
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

        /// Whether the map has never shown a place.
        export const isNew = () => !opened;
        /// Lets the map open anew.
        export function forget() {
          opened = false;
        }

        const sharp = (url) => url.replace('.png', L.Browser.retina ? '@2x.png' : '.png');

        /// Shows the tiles that a TileJSON tells of.
        export function showTiles(tileJSON) {
          missing = new Set();
          say('tiles', '');
          const layer = L.tileLayer(sharp(tileJSON.tiles[0]), {
            minZoom: tileJSON.minzoom, maxZoom: DEEPEST, maxNativeZoom: tileJSON.maxzoom,
            attribution: tileJSON.attribution ? element('span', '', tileJSON.attribution).innerHTML : '',
          });
          layer.on('tileerror', ({ tile, coords }) => again(layer, tile, coords));
          layer.on('tileload tileunload', ({ tile }) => found(tile));
          // The old picture stays until the new one is whole: a change does not flicker.
          const old = shown;
          shown = [...old, layer];
          layer.once('load', () => {
            for (const other of old) map.removeLayer(other);
            shown = shown.filter((other) => !old.includes(other));
          });
          layer.addTo(map);
        }

        /// Shows no tiles: what is no longer there is no longer seen.
        export function clearTiles() {
          for (const layer of shown) map.removeLayer(layer);
          shown = [];
        }

        function again(layer, tile, coords) {
          const tries = Number(tile.dataset.tries || 0);
          tile.dataset.tries = tries + 1;
          if (!shown.includes(layer)) return;
          missing.add(tile);
          say('tiles', tries < MOST_RETRIES
            ? 'Some tiles could not be drawn; trying again.' : 'Some tiles could not be drawn.');
          if (tries >= MOST_RETRIES) return;
          setTimeout(() => {
            // One that is no longer on the map is not wanted.
            if (tile.isConnected) tile.src = layer.getTileUrl(coords);
          }, RETRY_MS * 2 ** tries);
        }

        function found(tile) {
          if (missing.delete(tile) && missing.size === 0) say('tiles', '');
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
