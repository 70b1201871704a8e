import { element, setNotice } from './document.js';
import { tileAddress } from './server.js';

/// A tile that failed is requested again after this time, then after twice as long, and so on.
const RETRY_MS = 2000, MAX_RETRIES = 6;

const failed = new Set();

function showFailures() {
  const isGivenUp = [...failed].some(({ tries }) => tries > MAX_RETRIES);
  setNotice('tiles', failed.size === 0 ? '' : isGivenUp
    ? 'Some tiles could not be loaded.' : 'Some tiles could not be loaded; trying again.');
}

/// A layer of tiles, not yet on a map. A picture is replaced in place when its successor has been loaded.
export function makeTiles(options) {
  const layer = new L.GridLayer(options);
  const tiles = new Map();
  let template = '';

  /// Loads the current picture of a tile; resolves when it is shown, or has failed.
  function load(tile) {
    const wanted = tileAddress(template, tile.coords);
    tile.wanted = wanted;
    return new Promise((done) => {
      const image = new Image();
      image.alt = '';
      // Decoded when it is inserted, so that there is no blank between the old and the new picture.
      image.decoding = 'sync';
      // Before the base map, which takes twice as many tiles; browsers have few connections for one server.
      image.fetchPriority = 'high';
      image.addEventListener('load', () => {
        if (tile.wanted === wanted) {
          tile.place.replaceChildren(image);
          tile.tries = 0;
          if (failed.delete(tile)) showFailures();
        }
        done();
      });
      image.addEventListener('error', () => {
        if (tile.wanted === wanted) retry(tile, wanted);
        done();
      });
      image.src = wanted;
    });
  }

  function retry(tile, wanted) {
    failed.add(tile);
    tile.tries += 1;
    showFailures();
    if (tile.tries > MAX_RETRIES) return;
    setTimeout(() => {
      // A tile that is no longer on the map is not needed.
      if (tile.wanted === wanted) load(tile);
    }, RETRY_MS * 2 ** (tile.tries - 1));
  }

  layer.createTile = (coords, done) => {
    const tile = { place: element('div', 'tile'), coords, wanted: '', tries: 0 };
    tiles.set(tile.place, tile);
    // Without an error even if the picture failed: Leaflet would never show such a tile, not even when a later
    // request succeeds.
    load(tile).then(() => done(null, tile.place));
    return tile.place;
  };
  layer.on('tileunload', ({ tile: place }) => {
    const tile = tiles.get(place);
    tiles.delete(place);
    if (!tile) return;
    tile.wanted = '';
    if (failed.delete(tile)) showFailures();
  });

  return {
    layer,
    /// Sets the URL of tiles that are loaded from now on; those on the map stay until they are renewed.
    setTemplate(text) {
      template = text;
    },
    /// Loads the tiles on the map again for which `test`, given {x, y, z}, is true; resolves when all have been loaded.
    renew(test = () => true) {
      const some = [...tiles.values()].filter(({ coords }) => test(coords));
      for (const tile of some) tile.tries = 0;
      return Promise.all(some.map(load));
    },
  };
}
