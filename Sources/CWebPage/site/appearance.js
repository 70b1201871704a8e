import { currentStyle, known, parameters, state } from './state.js';
import { byId, element } from './document.js';
import { address } from './server.js';
import { currentView } from './map.js';
import { worldPoint } from './mercator.js';
import { partPanel } from './parts.js';

const TILE = 256, MAX_ZOOM = 16;
/// The tile in a picture is drawn at this size, so that more of the map is seen.
const DRAWN = 160;

/// A tile is looked at in so many pixels in each direction, and shows something if so many of them are drawn.
const LOOKED = 32, DRAWN_LEAST = 12;
/// How often, and after how many milliseconds, it is looked again for a tile that shows something while tiles are loaded.
const TRIES = 6, AGAIN_MS = 700;

/// The tile in the middle of the map, and where its middle is in it, 0…1; null before the map shows a place.
function middleTile() {
  const view = currentView();
  if (!view) return null;
  const [zoom, latitude, longitude] = view, z = Math.max(0, Math.min(MAX_ZOOM, Math.round(zoom)));
  const [x, y] = worldPoint([longitude, latitude]).map((share) => share * 2 ** z);
  return { z, x: Math.floor(x), y: Math.floor(y), across: x - Math.floor(x), down: y - Math.floor(y) };
}

/// Where the middle of what a tile shows is in it, 0…1; null if it shows next to nothing.
function middleOf(image) {
  const canvas = Object.assign(element('canvas'), { width: LOOKED, height: LOOKED });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0, LOOKED, LOOKED);
  const { data } = context.getImageData(0, 0, LOOKED, LOOKED);
  let [count, across, down] = [0, 0, 0];
  for (let pixel = 0; pixel < LOOKED ** 2; pixel++) {
    if (data[pixel * 4 + 3] === 0) continue;
    count += 1;
    across += pixel % LOOKED + 0.5;
    down += Math.floor(pixel / LOOKED) + 0.5;
  }
  return count < DRAWN_LEAST ? null : { across: across / count / LOOKED, down: down / count / LOOKED };
}

/// The tile on the screen nearest to the middle of the map that shows something, as `middleTile`; null if there is none.
function drawnTile() {
  const { left, top, width, height } = byId('map').getBoundingClientRect();
  const away = (image) => {
    const box = image.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - left - width / 2, box.y + box.height / 2 - top - height / 2);
  };
  const images = [...byId('map').querySelectorAll('.leaflet-tile-pane img')].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);
  for (const image of images.sort((one, other) => away(one) - away(other))) {
    const [, z, x, y] = /\/(\d+)\/(-?\d+)\/(\d+)(?:@2x)?\.png/.exec(image.src)?.map(Number) ?? [];
    const middle = y !== undefined && middleOf(image);
    if (middle) return { z, x, y, ...middle };
  }
  return null;
}

/// A picture of one tile, moved so that what it shows is in the middle, as far as the tile reaches.
function picture(url, { across, down }, { clientWidth, clientHeight }) {
  const image = Object.assign(element('img'), { src: url, alt: '', loading: 'lazy', decoding: 'async', width: TILE, height: TILE });
  const start = (share, room) => Math.min(0, Math.max(room - DRAWN, room / 2 - share * DRAWN));
  Object.assign(image.style, {
    width: DRAWN + 'px', height: DRAWN + 'px', left: start(across, clientWidth) + 'px', top: start(down, clientHeight) + 'px',
  });
  image.addEventListener('error', () => image.remove());
  return image;
}

/// Draws in each choice of a style a part of what the map shows, in that style.
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
  let shown = '', tries = 0, timer = 0;
  function renew() {
    const key = JSON.stringify([known.revision, known.theme, state.base, state.layer, state.from, state.to, state.ramp]);
    // The list is made anew with each revision, without pictures.
    const isDrawn = byId('style').querySelector('.look i > img');
    if (!currentView() || known.revision === undefined || key === shown && isDrawn) return;
    const tile = drawnTile();
    clearTimeout(timer);
    if (!tile && (tries += 1) < TRIES) {
      timer = setTimeout(renew, AGAIN_MS);
      return;
    }
    [shown, tries] = [key, 0];
    drawPictures(tile ?? middleTile());
  }
  renew();
  return {
    ...part, renew,
    close() {
      clearTimeout(timer);
      part.close();
    },
  };
}
