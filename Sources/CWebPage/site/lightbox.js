import { button, element } from './document.js';
import { state } from './state.js';
import { photoAddress } from './server.js';
import { dateText } from './days.js';
import { pinTitle } from './pins-text.js';

/// Shows the photos of pins in a dialog, beginning with one of them. Arrow keys go on, Escape closes it.
export function showPhotos(pins, start, actions) {
  let index = start;
  const image = Object.assign(element('img'), { decoding: 'async' });
  const caption = element('p'), before = button('‹'), after = button('›'), details = button('Details');
  const close = button('Close');
  before.setAttribute('aria-label', 'Previous photo');
  after.setAttribute('aria-label', 'Next photo');
  caption.setAttribute('role', 'status');
  const box = element('dialog', 'lightbox', image, element('div', 'row', before, caption, details, close, after));
  box.setAttribute('aria-label', 'Photos');

  function show() {
    const pin = pins[index];
    image.src = photoAddress(pin.id, 'screen');
    image.alt = pinTitle(pin);
    caption.textContent = [pinTitle(pin), pin.time ? dateText(pin.time) : '', `${index + 1} of ${pins.length}`]
      .filter(Boolean).join(' · ');
    before.disabled = index === 0;
    after.disabled = index === pins.length - 1;
    // Loads the next one in advance.
    if (!after.disabled) new Image().src = photoAddress(pins[index + 1].id, 'screen');
  }
  function go(step) {
    index = Math.min(pins.length - 1, Math.max(0, index + step));
    show();
  }
  image.addEventListener('error', () => { caption.textContent = 'This photo cannot be shown here.'; });
  before.addEventListener('click', () => go(-1));
  after.addEventListener('click', () => go(1));
  close.addEventListener('click', () => box.close());
  details.addEventListener('click', () => {
    box.close();
    state.pin = pins[index].id;
    actions.open('pin');
  });
  box.addEventListener('click', (event) => {
    if (event.target === box) box.close();
  });
  box.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) go(step);
    // Escape must not close the panel behind it, too.
    event.stopPropagation();
  });
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  show();
  box.showModal();
  close.focus();
}
