import { isRanges, known, state } from './state.js';
import { button, element } from './document.js';
import { get, mayContribute, photoAddress } from './server.js';
import { counted } from './text.js';
import { delayed, input, labelled, select, statusLine } from './panel-elements.js';
import { pinLine, pinTitle, sources } from './pins-text.js';
import { pinParameters, showPins } from './pins-layer.js';
import { showPhotos } from './lightbox.js';
import { scopeText } from './statistics-view.js';

/// Pins that are listed at once, and after each press of *More*.
const SHOWN = 60;
const TYPING_MS = 400;

/// A small picture of a pin's photo.
function thumbnail(pin) {
  const image = Object.assign(element('img', 'thumb'), {
    src: photoAddress(pin.id, 'thumb'), alt: '', loading: 'lazy', decoding: 'async',
  });
  // Photos of some formats have no small picture.
  image.addEventListener('error', () => image.remove());
  return image;
}

/// How long the list was when it was left, and its filters: who comes back finds as many pins.
let left = { key: '', count: 0 };

/// Opens the list of pins, with its filters.
export function open(body, actions) {
  const onMap = input('checkbox'), filters = element('form', 'more'), status = statusLine();
  const photos = element('div', 'photos'), list = element('ul', 'tracks');
  const add = button('Add a pin'), more = button('More pins'), everywhere = button('Pins everywhere');
  photos.setAttribute('aria-label', 'Photos');
  photos.setAttribute('role', 'group');
  add.dataset.panel = 'add-pin';
  body.append(element('label', 'check', onMap, ' Show on the map'), add, filters, status, everywhere, photos, list, more);

  let shownKey = null, runs = 0, pins = [], next = null;
  const fields = [];

  /// A filter of the list; `isValid` is asked before a value is used.
  function filter(name, label, control, isValid = () => true) {
    const typed = delayed(() => {
      const value = control.value.trim();
      const isGood = !value || isValid(value);
      control.setAttribute('aria-invalid', String(!isGood));
      if (!isGood || state[name] === value) return;
      state[name] = value;
      actions.remember();
      showPins();
      renew();
    }, TYPING_MS);
    control.addEventListener('change', typed.now);
    control.addEventListener('input', typed.later);
    fields.push({ name, control, typed });
    return labelled(label, control);
  }
  const text = (placeholder) => input('search', { autocomplete: 'off', spellcheck: false, placeholder });
  const kinds = select([['', 'All kinds'], ...Object.entries(sources)]);
  filters.append(element('div', 'pair', filter('kind', 'Kind', kinds), filter('category', 'Category', text('Any'))),
    element('div', 'pair',
      filter('hours', 'Hours of the day', text('such as 6-9'), (value) => isRanges(value, 0, 23)),
      filter('months', 'Months', text('such as 5-8'), (value) => isRanges(value, 1, 12))));
  filters.setAttribute('role', 'search');
  filters.addEventListener('submit', (event) => event.preventDefault());

  onMap.addEventListener('change', () => {
    state.pins = onMap.checked ? '1' : '';
    actions.step();
    showPins();
  });
  everywhere.addEventListener('click', () => {
    state.box = '';
    actions.step();
    renew();
  });
  list.addEventListener('click', (event) => {
    const id = event.target.closest('button')?.dataset.pin;
    if (!id) return;
    state.pin = id;
    actions.open('pin');
  });
  more.addEventListener('click', () => load(runs));

  function append(found) {
    list.append(...found.map((pin) => {
      const line = button(element('span', 'words', element('b', '', pinTitle(pin)), element('span', '', pinLine(pin))));
      line.dataset.pin = pin.id;
      if (pin.photo) line.prepend(thumbnail(pin));
      return element('li', pin.photo ? 'pictured' : '', line);
    }));
    photos.hidden = !pins.some(({ photo }) => photo);
    photos.append(...found.filter(({ photo }) => photo).map((pin) => {
      const show = button(thumbnail(pin));
      show.setAttribute('aria-label', 'Show the photo ' + pinTitle(pin));
      show.addEventListener('click', () => {
        const all = pins.filter(({ photo }) => photo);
        showPhotos(all, all.indexOf(pin), actions);
      });
      return show;
    }));
  }

  function statusText() {
    const where = state.box ? ' at this place' : '';
    if (pins.length === 0) return `${scopeText()}: no pins${where || ' with these filters'}.`;
    return `${scopeText()}: ${counted(pins.length, 'pin')}${next ? ', and more' : ''}${where}.`;
  }

  async function load(run) {
    more.hidden = true;
    try {
      const found = await get('v1/pins', pinParameters({
        bbox: state.box || undefined, limit: SHOWN, after: next ?? undefined,
      }));
      if (run !== runs) return;
      if (pins.length === 0) {
        list.replaceChildren();
        photos.replaceChildren();
      }
      pins.push(...found.pins);
      next = found.next ?? null;
      append(found.pins);
      more.hidden = !next;
      status.textContent = statusText();
    } catch (error) {
      if (run !== runs) return;
      shownKey = null;
      status.textContent = error.message;
    }
  }

  async function renew() {
    onMap.checked = state.pins === '1';
    add.hidden = !mayContribute();
    everywhere.hidden = !state.box;
    for (const { name, control } of fields) if (document.activeElement !== control) control.value = state[name];
    const key = JSON.stringify([pinParameters(), state.box, known.revision]);
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    [pins, next] = [[], null];
    photos.hidden = true;
    const run = runs += 1;
    await load(run);
    while (run === runs && next && left.key === key && pins.length < left.count) await load(run);
  }
  // Who opens the list wants to see where the pins are.
  if (!state.pins) {
    state.pins = '1';
    actions.remember();
  }
  showPins(actions);
  renew();
  return {
    title: 'Pins', renew,
    close() {
      left = { key: shownKey, count: pins.length };
      for (const { typed } of fields) typed.cancel();
      runs += 1;
    },
  };
}
