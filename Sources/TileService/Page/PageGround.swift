extension Page {
    /// The ground below the tiles: a plain colour, with lines of longitude and latitude.
    static let groundScript = #"""
        import { byId, state } from './state.js';

        /// Degrees between two lines.
        const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
        const LEAST_PIXELS = 140;
        /// How far down the map's buttons reach.
        const COVERED_PIXELS = 92;

        let graticule = null, lines = null;

        /// Which ground is shown: the chosen one, or what the reader's system prefers.
        export function setGround() {
          const usual = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
          document.documentElement.dataset.ground = state.ground || usual;
        }

        /// Makes room for the lines, below all tiles.
        export function makeGround(map) {
          map.createPane('graticule').style.zIndex = 150;
          graticule = L.layerGroup().addTo(map);
          lines = L.svg({ pane: 'graticule', padding: 0.5 });
        }

        const name = (degrees, digits, positive, negative) =>
          Math.abs(degrees).toFixed(digits) + '° ' + (degrees < 0 ? negative : positive);

        /// Draws the lines for what the map shows; `lift` pixels at its bottom are covered.
        export function drawGround(map, lift) {
          graticule.clearLayers();
          if (state.grid !== '1') return;
          const bounds = map.getBounds().pad(0.5);
          const pixels = map.getSize().x / (map.getBounds().getEast() - map.getBounds().getWest());
          const step = STEPS.findLast((candidate) => candidate * pixels >= LEAST_PIXELS) || STEPS[0];
          const digits = Math.max(0, -Math.floor(Math.log10(step)));
          const west = bounds.getWest(), east = bounds.getEast();
          const south = Math.max(bounds.getSouth(), -85), north = Math.min(bounds.getNorth(), 85);
          const corner = map.containerPointToLatLng([0, map.getSize().y - lift]);
          const line = (from, to) => graticule.addLayer(
            L.polyline([from, to], { className: 'graticule', weight: 1, interactive: false, renderer: lines }));
          const label = (place, text, anchor) => graticule.addLayer(L.marker(place, {
            interactive: false, keyboard: false, pane: 'graticule',
            icon: L.divIcon({ className: 'degrees', html: text, iconSize: null, iconAnchor: anchor }),
          }));
          for (let k = Math.ceil(west / step); k * step <= east; k++) {
            const longitude = k * step;
            const wrapped = ((longitude + 180) % 360 + 360) % 360 - 180;
            line([south, longitude], [north, longitude]);
            label([corner.lat, longitude], name(wrapped, digits, 'E', 'W'), [-4, 18]);
          }
          for (let k = Math.ceil(south / step); k * step <= north; k++) {
            line([k * step, west], [k * step, east]);
            // None below the buttons in the corner.
            if (map.latLngToContainerPoint([k * step, west]).y < COVERED_PIXELS) continue;
            label([k * step, corner.lng], name(k * step, digits, 'N', 'S'), [-4, 16]);
          }
        }

        /// Tells the reader's choices of ground, and calls `changed` after each.
        export function listenToGround(changed) {
          const radios = [...document.getElementsByName('ground')];
          for (const radio of radios) {
            radio.addEventListener('change', () => {
              state.ground = radio.value;
              changed();
            });
          }
          byId('grid').addEventListener('change', () => {
            state.grid = byId('grid').checked ? '1' : '0';
            changed();
          });
        }

        /// Shows in the panel what the state says.
        export function showGround() {
          setGround();
          const shown = document.documentElement.dataset.ground;
          for (const radio of document.getElementsByName('ground')) radio.checked = radio.value === shown;
          byId('grid').checked = state.grid === '1';
        }

        """#
}
