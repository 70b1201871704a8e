import { isRanges, known, state } from './state.js';
import { button, element } from './document.js';
import { address, get, mayContribute } from './server.js';
import { counted } from './text.js';
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
    src: address(`v1/pins/${pin.id}/photo`, { size: 'thumb' }), alt: '', loading: 'lazy', decoding: 'async',
  });
  // Photos of some formats have no small picture.
  image.addEventListener('error', () => image.remove());
  return image;
}

/// Opens the list of places with content.
export function open(body, actions) {
  const onMap = Object.assign(element('input'), { type: 'checkbox' });
  const add = button('Add a place'), filters = element('form', 'more'), status = element('p', 'quiet');
  const strip = element('div', 'strip'), list = element('ul', 'tracks'), more = button('More places');
  const everywhere = button('Places everywhere');
  status.setAttribute('role', 'status');
  strip.setAttribute('aria-label', 'Photos');
  strip.setAttribute('role', 'group');
  add.dataset.panel = 'add-pin';
  body.append(element('label', 'check', onMap, ' Show on the map'), add, filters, status, everywhere, strip, list, more);

  let shownKey = null, runs = 0, pins = [], next = null, timer = 0;

  /// A field of the filters; `isValid` is asked before it is used.
  function field(name, label, input, isValid = () => true) {
    const take = () => {
      clearTimeout(timer);
      const value = input.value.trim();
      const isGood = !value || isValid(value);
      input.setAttribute('aria-invalid', String(!isGood));
      if (!isGood || state[name] === value) return;
      state[name] = value;
      actions.remember();
      showPins();
      renew();
    };
    input.addEventListener('change', take);
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(take, TYPING_MS);
    });
    fields.push([name, input]);
    return element('label', '', label, input);
  }
  const fields = [];
  const kinds = element('select');
  kinds.append(new Option('All kinds', ''), ...Object.entries(sources).map(([value, text]) => new Option(text, value)));
  const text = (placeholder) => Object.assign(element('input'), {
    type: 'search', autocomplete: 'off', spellcheck: false, placeholder,
  });
  filters.append(element('div', 'pair', field('kind', 'Kind', kinds), field('category', 'Category', text('Any'))),
    element('div', 'pair', field('hours', 'Hours of the day', text('such as 6-9'), (value) => isRanges(value, 0, 23)),
      field('months', 'Months', text('such as 5-8'), (value) => isRanges(value, 1, 12))));
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
    const photos = pins.filter(({ photo }) => photo);
    strip.hidden = photos.length === 0;
    strip.append(...found.filter(({ photo }) => photo).map((pin) => {
      const show = button(thumbnail(pin));
      show.setAttribute('aria-label', 'Show the photo ' + pinTitle(pin));
      show.addEventListener('click', () => {
        const all = pins.filter(({ photo }) => photo);
        showPhotos(all, all.indexOf(pin), actions);
      });
      return show;
    }));
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
        strip.replaceChildren();
      }
      pins.push(...found.pins);
      next = found.next ?? null;
      append(found.pins);
      more.hidden = !next;
      const where = state.box ? 'at this place' : '';
      status.textContent = pins.length === 0 ? `${scopeText()}: no places ${where || 'with these filters'}.`
        : `${scopeText()}: ${counted(pins.length, 'place')}${next ? ', and more' : ''} ${where}`.trim() + '.';
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
    for (const [name, input] of fields) if (document.activeElement !== input) input.value = state[name];
    const key = JSON.stringify([pinParameters(), state.box, known.revision]);
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    [pins, next] = [[], null];
    strip.hidden = true;
    await load(runs += 1);
  }
  // Who opens the list wants to see where the places are.
  if (!state.pins) {
    state.pins = '1';
    actions.remember();
  }
  showPins(actions);
  renew();
  return {
    title: 'Places', renew,
    close() {
      clearTimeout(timer);
      runs += 1;
    },
  };
}
