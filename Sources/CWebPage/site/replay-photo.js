import { button, element } from './document.js';
import { photoAddress } from './server.js';
import { loadStyle } from './loading.js';
import { openSide } from './side.js';

/// How long a photo is shown while the replay goes on.
const SHOWN_MS = 6000;

let card = null, timer = 0;

/// Shows a photo for some seconds when the replay comes to its time; a click shows it large.
export function showReplayPhoto({ pin, caption }) {
  const title = caption ?? 'Photo';
  const image = Object.assign(element('img'), {
    alt: '', decoding: 'async', src: photoAddress(pin, 'thumb'),
  });
  const made = button(image, ...caption ? [element('span', '', caption)] : []);
  made.className = 'replay-photo';
  made.setAttribute('aria-label', 'Show the photo ' + title);
  made.addEventListener('click', async () => {
    const [{ showPhotos }] = await Promise.all([import('./lightbox.js'), loadStyle('./side.css')]);
    showPhotos([{ id: pin, caption, source: 'photo' }], 0, { open: openSide });
  });
  // Not before it is loaded: some photos have no small picture.
  image.addEventListener('load', () => {
    card?.remove();
    card = made;
    document.body.append(card);
    clearTimeout(timer);
    timer = setTimeout(() => made.remove(), SHOWN_MS);
  });
}
