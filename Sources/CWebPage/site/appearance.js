import { currentStyle, known, parameters, state } from './state.js';
import { byId, element } from './document.js';
import { address } from './server.js';
import { currentView } from './map.js';
import { worldPoint } from './mercator.js';
import { partPanel } from './parts.js';

const TILE = 256, MAX_ZOOM = 16;
/// The tile in a picture is drawn at this size, so that more of the map is seen.
const DRAWN = 160;

/// The tile in the middle of the map, and where its middle is in it, 0…1; null before the map shows a place.
function middleTile() {
  const view = currentView();
  if (!view) return null;
  const [zoom, latitude, longitude] = view, z = Math.max(0, Math.min(MAX_ZOOM, Math.round(zoom)));
  const [x, y] = worldPoint([longitude, latitude]).map((share) => share * 2 ** z);
  return { z, x: Math.floor(x), y: Math.floor(y), across: x - Math.floor(x), down: y - Math.floor(y) };
}

/// A picture of one tile, moved so that the middle of the map is in the middle, as far as the tile reaches.
function picture(url, { across, down }, { clientWidth, clientHeight }) {
  const image = Object.assign(element('img'), { src: url, alt: '', loading: 'lazy', decoding: 'async', width: TILE, height: TILE });
  const start = (share, room) => Math.min(0, Math.max(room - DRAWN, room / 2 - share * DRAWN));
  Object.assign(image.style, {
    width: DRAWN + 'px', height: DRAWN + 'px', left: start(across, clientWidth) + 'px', top: start(down, clientHeight) + 'px',
  });
  image.addEventListener('error', () => image.remove());
  return image;
}

/// Draws in each choice of a style what the map shows, in that style.
function drawPictures(tile) {
  const where = `${tile.z}/${((tile.x % 2 ** tile.z) + 2 ** tile.z) % 2 ** tile.z}/${tile.y}.png`;
  const ground = address('tiles/base/' + where, { theme: known.theme || 'light', show: 'land' });
  for (const radio of document.getElementsByName('style')) {
    const frame = radio.parentElement.querySelector('i'), style = known.styles.find(({ name }) => name === radio.value);
    const isCurrent = style === currentStyle();
    const query = {
      ...parameters(['layer', 'from', 'to', ...isCurrent ? ['ramp', 'span', 'minus'] : []]),
      theme: known.theme && style?.takesTheme ? known.theme : undefined, v: known.revision,
    };
    frame.replaceChildren(...state.base === 'none' ? [] : [picture(ground, tile, frame)],
      picture(address(`tiles/${encodeURIComponent(radio.value)}/${where}`, query), tile, frame));
  }
}

/// Opens how the map looks: styles, colours, base map and units.
export function open(body) {
  const part = partPanel('appearance-part', 'Appearance').open(body);
  let shown = '';
  function renew() {
    const tile = middleTile();
    const key = JSON.stringify([tile && [tile.z, tile.x, tile.y], known.revision, known.theme, state.base, state.layer, state.from, state.to, state.ramp]);
    // The list is made anew with each revision, without pictures.
    const isDrawn = byId('style').querySelector('.look i > img');
    if (!tile || known.revision === undefined || key === shown && isDrawn) return;
    shown = key;
    drawPictures(tile);
  }
  renew();
  return { ...part, renew };
}
