import { parameters, selectionParameters, state } from './state.js';
import { button, element } from './document.js';
import { address, get } from './server.js';
import { leafletMap } from './map.js';
import { worldPoint } from './mercator.js';
import { number } from './text.js';
import { squareBox } from './statistics-text.js';
import { statusLine } from './panel-elements.js';
import { scopeText, statisticsView, table, toggle, toggleStyle } from './statistics-view.js';

const ZOOMS = [14, 17];
const styleOf = (zoom) => zoom === 14 ? 'explorer' : 'explorer-' + zoom;
/// The server makes lists of at most so many missing tiles.
const MAX_TILES = 20_000;

const squareText = ({ side }) => side ? `${side} × ${side}` : '–';

/// The box that the map shows, as `W,S,E,N`, and its number of tiles; null without a map.
function visibleBox(zoom) {
  const bounds = leafletMap()?.getBounds();
  if (!bounds) return null;
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
    .map((value) => Number(value.toFixed(5)));
  const [left, top] = worldPoint([west, north]), [right, bottom] = worldPoint([east, south]), tiles = 2 ** zoom;
  return {
    // The map may show more than the tiles cover, which end at 85.05°.
    text: [west, Math.max(south, -85), east, Math.min(north, 85)].join(','),
    count: (right - left) * tiles * (bottom - top) * tiles,
  };
}

/// Opens the figures of the tiles that tracks have visited.
export function open(body, actions) {
  const load = () => Promise.all(ZOOMS.map((zoom) => get('v1/explorer', parameters(selectionParameters, { zoom }))));

  /// A button that shows the tiles of a zoom level on the map, or the style from before.
  function tilesButton(zoom) {
    const name = styleOf(zoom);
    return toggle(`Show tiles of zoom ${zoom}`, 'tiles' + zoom, state.style === name, () => {
      toggleStyle(name);
      actions.changedView();
      view.renew();
    });
  }

  function squareButton({ zoom, square }) {
    const go = button(`Go to the square of zoom ${zoom}`);
    go.dataset.control = 'square' + zoom;
    go.addEventListener('click', () => actions.showBox(squareBox(square, zoom)));
    return go;
  }

  function missing(zoom) {
    const status = statusLine();
    const links = [['gpx', 'GPX'], ['kml', 'KML'], ['geojson', 'GeoJSON']].map(([extension, name]) => {
      const save = button(name);
      save.addEventListener('click', () => {
        const box = visibleBox(zoom);
        status.textContent = !box ? 'The map is not there yet.'
          : box.count > MAX_TILES ? 'Zoom in: the map shows too many tiles for a list.' : '';
        if (status.textContent) return;
        const query = parameters(selectionParameters, { zoom, bbox: box.text });
        const href = address('v1/explorer/missing.' + extension, query);
        Object.assign(element('a'), { href, download: 'missing tiles.' + extension }).click();
      });
      return save;
    });
    return [element('h3', '', 'Tiles that are missing here'),
      element('p', 'quiet', 'The tiles of zoom 14 on the map that no track has visited, for planners of routes.'),
      element('div', 'row', ...links), status];
  }

  function show(found) {
    if (found[0].tiles === 0) return [`${scopeText()}: no tile was visited.`];
    const isPart = state.from || state.to;
    const rows = [
      ['Tiles visited', ({ tiles }) => number.format(tiles)],
      ...isPart ? [['Visited for the first time', (one) => number.format(one.new)]] : [],
      ['Largest square', ({ square }) => squareText(square)],
      ['Tiles in the largest cluster', ({ cluster }) => number.format(cluster)],
    ].map(([name, text]) => [name, ...found.map(text)]);
    const key = [['visited', 'Visited'], ['cluster', 'All four neighbours are visited'],
      ['largest', 'In the largest cluster'], ['square', 'The largest square'],
      ...isPart ? [['new', 'Visited for the first time in this period']] : []];
    return [
      `${scopeText()}. Flights count at their ends only.`,
      table(['Figure', ...ZOOMS.map((zoom) => 'Zoom ' + zoom)], rows),
      element('div', 'row', ...ZOOMS.map(tilesButton)),
      ...ZOOMS.some((zoom) => state.style === styleOf(zoom)) ? [element('ul', 'key', ...key.map(([name, text]) =>
        element('li', '', element('i', 'key-' + name), text)))] : [],
      element('div', 'row', ...found.filter(({ square }) => square.side > 1).map(squareButton)),
      ...missing(ZOOMS[0]),
    ];
  }

  const view = statisticsView(body, 'explorer', 'Visited tiles', { key: () => state.style, load, show });
  return view;
}
