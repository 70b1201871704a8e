import { button, element, listButton } from './document.js';
import { change, get, mayContribute } from './server.js';
import { state } from './state.js';
import { input, labelled, statusLine } from './panel-elements.js';
import { placeLine } from './venue-text.js';
import { placeOf, venueWith } from './venue-data.js';

/// Letters of a name that the server takes.
const MAX_NAME = 200;

const path = (place) => 'v1/favourites/' + encodeURIComponent(place);

/// The favourite places of the reader; null if there are none for this reader, who is no person to the server.
export async function loadFavourites() {
  if (!mayContribute()) return null;
  try {
    return (await get('v1/favourites')).favourites;
  } catch (error) {
    if (error.status === 403 || error.status === 404) return null;
    throw error;
  }
}

/// Makes a place a favourite, or removes it from them.
export const setFavourite = (place, isWanted) => change(isWanted ? 'PUT' : 'DELETE', path(place), isWanted ? {} : undefined);

/// The list of favourites, in an element `box`; `choose` is called with the place that is chosen.
export function makeFavourites(choose) {
  const status = statusLine(), list = element('ul', 'favourites');
  const box = element('section', 'more', element('h3', '', 'Favourites'), list, status);
  let favourites = [], runs = 0;
  box.hidden = true;

  /// Changes a favourite; the focus goes to the button of a row, if there is one.
  async function act(method, place, value, focused) {
    status.textContent = '';
    try {
      await change(method, path(place), value);
      await load();
      if (focused) (list.querySelector(focused) ?? list.querySelector('button'))?.focus();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function rename(row, { place, name }) {
    const field = input('text', { value: name, maxLength: MAX_NAME, required: true });
    const save = button('Save'), keep = button('Cancel');
    save.type = 'submit';
    const form = element('form', 'more', labelled('Name', field), element('div', 'row', save, keep));
    const again = `[data-row="${place}"] [data-does="rename"]`;
    const cancel = () => {
      show();
      list.querySelector(again)?.focus();
    };
    keep.addEventListener('click', cancel);
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // Otherwise it would close the panel.
      event.preventDefault();
      cancel();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value.trim()) act('PATCH', place, { name: field.value.trim() }, again);
    });
    row.replaceChildren(form);
    field.select();
  }

  function does(name, label, sign, isPossible, action) {
    const made = button(sign);
    made.className = 'icon-button';
    made.dataset.does = name;
    made.setAttribute('aria-label', label);
    made.title = label;
    made.disabled = !isPossible;
    made.addEventListener('click', action);
    return made;
  }

  async function describe(line, { place, venue }) {
    const known = venueWith(venue), found = known && await placeOf(venue, place).catch(() => undefined);
    line.disabled = !found;
    line.querySelector('span').textContent = found
      ? [placeLine(known, found), known.name].join(' · ') : 'Not in this library any more';
  }

  function row(favourite, index) {
    const { place, name, venue } = favourite, line = listButton(name, ''), made = element('li');
    const find = (what) => `[data-row="${place}"] [data-does="${what}"]:enabled`;
    line.addEventListener('click', () => {
      state.venue = venue;
      choose(place);
    });
    describe(line, favourite);
    made.dataset.row = place;
    made.append(line,
      does('up', `Move ${name} up`, '↑', index > 0, () => act('PATCH', place, { position: index - 1 }, find('up'))),
      does('down', `Move ${name} down`, '↓', index < favourites.length - 1,
        () => act('PATCH', place, { position: index + 1 }, find('down'))),
      does('rename', `Rename ${name}`, '✎', true, () => rename(made, favourite)),
      does('remove', `Remove ${name} from the favourites`, '✕', true, () => act('DELETE', place, undefined, 'button')));
    return made;
  }

  function show() {
    list.replaceChildren(...favourites.map(row));
    box.hidden = favourites.length === 0;
  }

  async function load() {
    const run = runs += 1, found = await loadFavourites();
    if (run !== runs) return;
    favourites = found ?? [];
    show();
  }

  return {
    box,
    renew() {
      load().catch((error) => { status.textContent = error.message; });
    },
  };
}
