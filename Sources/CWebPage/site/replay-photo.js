import { button, element } from './document.js';
import { address } from './server.js';
import { loadStyle, openSide } from './side.js';

/// How long a photo is shown while the replay goes on.
const SHOWN_MS = 6000;

let card = null, timer = 0;

/// Shows a photo whose moment has come, for some seconds; a click shows it large.
export function showReplayPhoto({ pin, caption }) {
  const title = caption ?? 'Photo';
  const image = Object.assign(element('img'), {
    alt: '', decoding: 'async', src: address(`v1/pins/${pin}/photo`, { size: 'thumb' }),
  });
  const made = button(image, ...caption ? [element('span', '', caption)] : []);
  made.className = 'replay-photo';
  made.setAttribute('aria-label', 'Show the photo ' + title);
  made.addEventListener('click', async () => {
    const [{ showPhotos }] = await Promise.all([import('./lightbox.js'), loadStyle('./side.css')]);
    showPhotos([{ id: pin, caption, source: 'photo' }], 0, { open: openSide });
  });
  // Not before: some photos have no picture.
  image.addEventListener('load', () => {
    card?.remove();
    card = made;
    document.body.append(card);
    clearTimeout(timer);
    timer = setTimeout(() => made.remove(), SHOWN_MS);
  });
}
