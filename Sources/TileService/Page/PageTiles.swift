extension Page {
    /// The layer of tiles: pictures are exchanged where they are, each when its successor has come.
    static let tilesScript = #"""
        import { element, say } from './state.js';

        /// A tile that was not drawn is asked for again after this time, then after twice as long, and so on.
        const RETRY_MS = 2000, MOST_RETRIES = 6;

        const missing = new Set();

        function tellMissing() {
          const isHopeless = [...missing].some(({ tries }) => tries > MOST_RETRIES);
          say('tiles', missing.size === 0 ? '' : isHopeless
            ? 'Some tiles could not be drawn.' : 'Some tiles could not be drawn; trying again.');
        }

        /// A layer of tiles, not yet on a map.
        export function makeTiles(options) {
          const layer = new L.GridLayer(options);
          const tiles = new Map();
          let template = '';

          const addressOf = ({ x, y, z }) => template.replace('{z}', z).replace('{x}', x).replace('{y}', y);

          /// Loads a tile's picture as it is now, and gives it once it is there, or failed.
          function load(tile) {
            const wanted = addressOf(tile.coords);
            tile.wanted = wanted;
            return new Promise((done) => {
              const image = new Image();
              image.alt = '';
              // Decoded as it is put in place, the new picture follows the old one without a blank between.
              image.decoding = 'sync';
              image.addEventListener('load', () => {
                if (tile.wanted === wanted) {
                  tile.place.replaceChildren(image);
                  tile.tries = 0;
                  if (missing.delete(tile)) tellMissing();
                }
                done(null);
              });
              image.addEventListener('error', () => {
                if (tile.wanted === wanted) again(tile, wanted);
                done(new Error('not drawn'));
              });
              image.src = wanted;
            });
          }

          function again(tile, wanted) {
            missing.add(tile);
            tile.tries += 1;
            tellMissing();
            if (tile.tries > MOST_RETRIES) return;
            setTimeout(() => {
              // One that is no longer on the map is not wanted.
              if (tile.wanted === wanted) load(tile);
            }, RETRY_MS * 2 ** (tile.tries - 1));
          }

          layer.createTile = (coords, done) => {
            const tile = { place: element('div', 'tile'), coords, wanted: '', tries: 0 };
            tiles.set(tile.place, tile);
            load(tile).then((error) => done(error, tile.place));
            return tile.place;
          };
          layer.on('tileunload', ({ tile: place }) => {
            const tile = tiles.get(place);
            tiles.delete(place);
            if (!tile) return;
            tile.wanted = '';
            if (missing.delete(tile)) tellMissing();
          });

          return {
            layer,
            /// Which tiles are shown from now on; those on the map stay until they are renewed.
            setTemplate(text) {
              template = text;
            },
            /// Exchanges the pictures on the map for which `test`, given {x, y, z}, is true; over when all have come.
            renew(test = () => true) {
              const some = [...tiles.values()].filter(({ coords }) => test(coords));
              for (const tile of some) tile.tries = 0;
              return Promise.all(some.map(load));
            },
          };
        }

        """#
}
