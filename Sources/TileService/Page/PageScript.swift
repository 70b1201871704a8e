extension Page {
    /// What the page does. Its state is in the address's fragment, so that a view can be kept and sent.
    static let script = #"""
        'use strict';

        const POLL_MS = 2000;
        const DEEPEST = 22;
        const byId = (id) => document.getElementById(id);
        const fields = ['style', 'layer', 'from', 'to'];
        const state = { style: 'heat', layer: 'all', from: '', to: '' };
        let map = null, shown = [], graticule = null, lines = null, opened = false;
        let tileJSON = null, revision = null, legendZoom = null;

        function say(text) {
          const notice = byId('notice');
          notice.hidden = !text;
          if (notice.textContent !== text) notice.textContent = text;
        }

        async function get(path) {
          const response = await fetch(path, { cache: 'no-cache' });
          const value = await response.json().catch(() => ({}));
          if (!response.ok) {
            throw Object.assign(new Error(value.detail || 'The server answers ' + response.status + '.'), { value });
          }
          return value;
        }

        function query(more) {
          const parameters = new URLSearchParams(more);
          if (state.layer !== 'all') parameters.set('layer', state.layer);
          if (state.from) parameters.set('from', state.from);
          if (state.to) parameters.set('to', state.to);
          const text = parameters.toString();
          return text ? '?' + text : '';
        }

        // The fragment

        function readFragment() {
          const parameters = new URLSearchParams(location.hash.slice(1));
          for (const field of fields) if (parameters.has(field)) state[field] = parameters.get(field);
          const stored = parameters.get('ground');
          setGround(stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
          const view = (parameters.get('map') || '').split('/').map(Number);
          return view.length === 3 && view.every(Number.isFinite) ? view : null;
        }

        function writeFragment() {
          const parts = [];
          if (map && opened) {
            const { lat, lng } = map.getCenter();
            parts.push('map=' + [map.getZoom(), lat.toFixed(5), lng.toFixed(5)].join('/'));
          }
          for (const field of fields) if (state[field]) parts.push(field + '=' + encodeURIComponent(state[field]));
          parts.push('ground=' + document.documentElement.dataset.ground);
          history.replaceState(null, '', '#' + parts.join('&'));
        }

        // The ground: plain, with lines of longitude and latitude

        function setGround(isDark) {
          document.documentElement.dataset.ground = isDark ? 'dark' : 'light';
          byId('ground').setAttribute('aria-pressed', String(isDark));
        }

        const steps = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];

        function drawGraticule() {
          graticule.clearLayers();
          const bounds = map.getBounds().pad(0.5);
          const pixels = map.getSize().x / (map.getBounds().getEast() - map.getBounds().getWest());
          const step = steps.findLast((candidate) => candidate * pixels >= 140) || steps[0];
          const digits = Math.max(0, -Math.floor(Math.log10(step)));
          const west = bounds.getWest(), east = bounds.getEast();
          const south = Math.max(bounds.getSouth(), -85), north = Math.min(bounds.getNorth(), 85);
          const corner = map.containerPointToLatLng([0, map.getSize().y]);
          const line = (from, to) => graticule.addLayer(
            L.polyline([from, to], { className: 'graticule', weight: 1, interactive: false, renderer: lines }));
          const label = (place, text, anchor) => graticule.addLayer(L.marker(place, {
            interactive: false, keyboard: false, pane: 'graticule',
            icon: L.divIcon({ className: 'degrees', html: text, iconSize: null, iconAnchor: anchor }),
          }));
          const name = (degrees, positive, negative) =>
            Math.abs(degrees).toFixed(digits) + '° ' + (degrees < 0 ? negative : positive);
          for (let k = Math.ceil(west / step); k * step <= east; k++) {
            const longitude = k * step;
            const wrapped = ((longitude + 180) % 360 + 360) % 360 - 180;
            line([south, longitude], [north, longitude]);
            label([corner.lat, longitude], name(wrapped, 'E', 'W'), [-3, 18]);
          }
          for (let k = Math.ceil(south / step); k * step <= north; k++) {
            line([k * step, west], [k * step, east]);
            label([k * step, corner.lng], name(k * step, 'N', 'S'), [-4, 16]);
          }
        }

        // The map

        function makeMap(view) {
          map = L.map('map', { worldCopyJump: true, maxZoom: DEEPEST, zoomControl: false });
          map.attributionControl.setPrefix(false);
          L.control.zoom({ position: 'topleft' }).addTo(map);
          L.control.scale({ position: 'bottomright', imperial: false }).addTo(map);
          map.createPane('graticule').style.zIndex = 150;
          graticule = L.layerGroup().addTo(map);
          lines = L.svg({ pane: 'graticule', padding: 0.5 });
          map.on('moveend', () => {
            drawGraticule();
            writeFragment();
            showLegend();
          });
          if (view) {
            opened = true;
            map.setView([view[1], view[2]], view[0]);
          }
        }

        function showAll() {
          if (!map || !tileJSON) return;
          const [west, south, east, north] = tileJSON.bounds;
          const [longitude, latitude, zoom] = tileJSON.center;
          opened = true;
          if (east - west < 360) map.fitBounds([[south, west], [north, east]], { maxZoom: 16 });
          else map.setView([latitude, longitude], zoom);
        }

        function showTiles() {
          const sharp = L.Browser.retina ? '@2x.png' : '.png';
          const layer = L.tileLayer(tileJSON.tiles[0].replace('.png', sharp), {
            minZoom: tileJSON.minzoom, maxZoom: DEEPEST, maxNativeZoom: tileJSON.maxzoom,
            attribution: tileJSON.attribution ? escaped(tileJSON.attribution) : '',
          });
          // The old picture stays until the new one is whole: a change does not flicker.
          const old = shown;
          shown = [...old, layer];
          layer.once('load', () => {
            for (const other of old) map.removeLayer(other);
            shown = shown.filter((other) => !old.includes(other));
          });
          layer.addTo(map);
        }

        function escaped(text) {
          const element = document.createElement('span');
          element.textContent = text;
          return element.innerHTML;
        }

        /// Without Leaflet: the tiles round the middle of the data, as they are.
        function showPlain() {
          const [longitude, latitude, zoom] = tileJSON.center;
          const side = 2 ** zoom, sine = Math.sin(latitude * Math.PI / 180);
          const across = Math.floor((longitude + 180) / 360 * side);
          const down = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side);
          const plain = document.createElement('div');
          plain.className = 'plain';
          plain.style.gridTemplateColumns = 'repeat(5, 256px)';
          for (let row = down - 2; row <= down + 2; row++) {
            for (let column = across - 2; column <= across + 2; column++) {
              const image = document.createElement('img');
              image.alt = '';
              if (row >= 0 && row < side && column >= 0 && column < side) {
                image.src = tileJSON.tiles[0].replace('{z}', zoom).replace('{x}', column).replace('{y}', row);
              }
              plain.append(image);
            }
          }
          byId('map').replaceChildren(plain);
          say('To move the map, install Leaflet (on Debian: apt install libjs-leaflet) and restart the server.');
        }

        // The panel

        function fill(select, entries, chosen) {
          select.replaceChildren(...entries.map(({ name, title }) => new Option(title || name, name)));
          if (!entries.some(({ name }) => name === chosen)) select.add(new Option(chosen, chosen));
          select.value = chosen;
          byId(select.id + '-row').hidden = entries.length < 2 && select.options.length < 2;
        }

        async function showLegend() {
          const zoom = map ? Math.min(map.getZoom(), 16) : tileJSON ? tileJSON.center[2] : null;
          const wanted = [zoom, state.style, state.layer, revision].join(' ');
          if (zoom === null || revision === null || wanted === legendZoom) return;
          legendZoom = wanted;
          const parameters = new URLSearchParams({ z: zoom, layer: state.layer });
          try {
            const { entries } = await get('legend/' + encodeURIComponent(state.style) + '.json?' + parameters);
            if (wanted !== legendZoom) return;
            byId('ramp').replaceChildren(...entries.map(({ color, text }) => {
              const swatch = document.createElement('i');
              swatch.style.background = color;
              swatch.title = text;
              return swatch;
            }));
            byId('ramp').setAttribute('aria-label', 'From ' + entries[0].text + ' to ' + entries.at(-1).text + ' days');
            const marks = [entries[0], entries[entries.length >> 1], entries.at(-1)];
            byId('counts').replaceChildren(...[...new Set(marks)].map(({ text }) => {
              const count = document.createElement('span');
              count.textContent = text;
              return count;
            }));
            byId('legend').hidden = false;
          } catch {
            legendZoom = null;
          }
        }

        async function load() {
          try {
            tileJSON = await get('tiles/' + encodeURIComponent(state.style) + '.json' + query());
            say('');
          } catch (error) {
            say(error.message);
            return;
          }
          if (!window.L) showPlain();
          else {
            if (!opened) showAll();
            showTiles();
          }
          legendZoom = null;
          showLegend();
          writeFragment();
        }

        async function follow() {
          try {
            const health = await get('health').catch((error) => {
              if (error.value && error.value.status) return error.value;
              throw error;
            });
            if (health.status === 'ok') {
              const number = new Intl.NumberFormat();
              byId('totals').textContent = number.format(health.tracks) + (health.tracks === 1 ? ' track, ' : ' tracks, ')
                + number.format(health.points) + ' points' + (health.behind ? ', and more coming in' : '');
              if (health.revision !== revision) {
                const wasEmpty = tileJSON !== null && byId('map').dataset.tracks === '0';
                byId('map').dataset.tracks = health.tracks;
                revision = health.revision;
                if (wasEmpty) opened = false;
                fill(byId('style'), await get('styles'), state.style);
                fill(byId('layer'), await get('layers'), state.layer);
                await load();
              }
              if (health.tracks === 0) say('Nothing here yet: import tracks with “tileserve import FOLDER”.');
            } else {
              revision = null;
              const share = health.progress === undefined ? '' : ' ' + Math.floor(health.progress * 100) + ' %';
              say('The map is being prepared…' + share);
            }
          } catch (error) {
            revision = null;
            say(error instanceof TypeError ? 'The server does not answer; trying again.' : error.message);
          }
          setTimeout(follow, POLL_MS);
        }

        function listen() {
          for (const field of fields) {
            byId(field).value = state[field];
            byId(field).addEventListener('change', () => {
              state[field] = byId(field).value;
              byId('from').max = state.to;
              byId('to').min = state.from;
              load();
            });
          }
          byId('choices').addEventListener('submit', (event) => event.preventDefault());
          byId('home').addEventListener('click', showAll);
          byId('ground').addEventListener('click', () => {
            setGround(document.documentElement.dataset.ground !== 'dark');
            writeFragment();
          });
        }

        const view = readFragment();
        listen();
        if (window.L) makeMap(view);
        else byId('home').hidden = true;
        follow();

        """#
}
