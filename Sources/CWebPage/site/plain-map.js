import { byId, element, setNotice } from './document.js';
import { tileAddress } from './server.js';
import { worldPoint } from './mercator.js';

/// Without Leaflet: shows the tiles around the centre of the data.
export function showPlain(tileJSON) {
  const [longitude, latitude, zoom] = tileJSON.center;
  const side = 2 ** zoom;
  const [across, down] = worldPoint([longitude, latitude]).map((share) => Math.floor(share * side));
  const plain = element('div', 'plain');
  for (let row = down - 2; row <= down + 2; row++) {
    for (let column = across - 2; column <= across + 2; column++) {
      const image = element('img');
      image.alt = '';
      if (row >= 0 && row < side && column >= 0 && column < side) {
        image.src = tileAddress(tileJSON.tiles[0], { x: column, y: row, z: zoom });
      }
      plain.append(image);
    }
  }
  byId('map').replaceChildren(plain);
  setNotice('leaflet', 'The map needs Leaflet: install it (on Debian: apt install libjs-leaflet) and restart the server.');
}
