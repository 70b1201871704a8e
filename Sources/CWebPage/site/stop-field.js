import { button, element } from './document.js';
import { delayed, input, labelled } from './panel-elements.js';
import { categoriesOf, categoryText, distinctPlaces, placeLine, placeTitle } from './venue-text.js';
import { placesOf, searchPlaces } from './venue-data.js';
import { loadFavourites } from './favourites.js';
import { stopText } from './stop-names.js';
import { categoryStop } from './stops.js';

const TYPING_MS = 200;
/// Places, categories and favourites that are offered at once.
const SHOWN = 8, SHOWN_CATEGORIES = 6, SHOWN_FAVOURITES = 4;

let fields = 0;

/// A field for a stop of a way, which offers places while the reader types. `venue()` is the venue, `changed(stop)` is
/// called with the stop that was chosen, and `pick()` and `locate()` when the reader wants to choose it on the map, or
/// where they are. At the end of a way (`isEnd`) it also offers the nearest place of a category.
export function makeStopField({ label, isEnd, venue, changed, pick, locate }) {
  const id = `stop-${fields += 1}`, list = element('ul', 'offers');
  const field = input('search', { autocomplete: 'off', spellcheck: false, placeholder: 'Room, name or kind', maxLength: 100 });
  Object.assign(list, { id, hidden: true });
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', label);
  for (const [name, value] of Object.entries({
    role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id,
  })) field.setAttribute(name, value);
  const box = element('div', 'stop', labelled(label, field), list);
  let stop = '', offers = [], active = -1, controller = null, runs = 0, namings = 0, isTyped = false;
  const typed = delayed(search, TYPING_MS);

  function mark(index) {
    active = index;
    for (const [position, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(position === index));
    if (index < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${id}-${index}`);
    list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  function show(found) {
    offers = found;
    list.replaceChildren(...offers.map(({ text, line }, index) => {
      const item = element('li', '', element('b', '', text), element('span', '', line ?? ''));
      item.id = `${id}-${index}`;
      item.dataset.index = index;
      item.setAttribute('role', 'option');
      return item;
    }));
    list.hidden = offers.length === 0;
    field.setAttribute('aria-expanded', String(!list.hidden));
    mark(-1);
  }

  function close() {
    runs += 1;
    typed.cancel();
    controller?.abort();
    show([]);
  }

  /// What can be chosen without a search.
  const general = () => [
    { text: 'Where I am', act: locate }, { text: 'Choose on the map', line: 'Click, or press Enter for its middle', act: pick },
  ];

  /// The nearest places of the categories that a text means; of all without a text.
  function nearest(places, text) {
    if (!isEnd) return [];
    const all = categoriesOf(places).map(({ bases }) => ({
      text: 'Nearest ' + categoryText(bases[0]).toLowerCase(), stop: categoryStop(bases[0]),
    }));
    const isMeant = ({ text: name }) => (' ' + name).toLowerCase().includes(' ' + text.toLowerCase());
    return all.filter((one) => !text || isMeant(one)).slice(0, SHOWN_CATEGORIES);
  }

  async function favouritesOf(id) {
    const favourites = await loadFavourites().catch(() => null) ?? [];
    return favourites.filter((one) => one.venue === id).slice(0, SHOWN_FAVOURITES)
      .map(({ name, place }) => ({ text: '★ ' + name, stop: place }));
  }

  async function search() {
    // The name of a stop that was chosen is not a search.
    const known = venue(), text = isTyped ? field.value.trim() : '', run = runs += 1;
    controller?.abort();
    controller = new AbortController();
    if (!known) {
      show(general());
      return;
    }
    try {
      const [all, kept] = await Promise.all([placesOf(known.id), text ? [] : favouritesOf(known.id)]);
      const found = text ? distinctPlaces(await searchPlaces(known.id, text, controller.signal)) : [];
      if (run !== runs) return;
      show([
        ...text ? [] : general(), ...kept, ...nearest(all, text),
        ...found.slice(0, SHOWN).map((place) => ({ text: placeTitle(place), line: placeLine(known, place), stop: place.id })),
      ]);
      if (text && offers.length === 0) show([{ text: 'No place of this venue fits.' }]);
    } catch {
      // The next letter searches again.
    }
  }

  function choose(offer) {
    if (!offer || !offer.stop && !offer.act) return;
    close();
    isTyped = false;
    if (offer.act) offer.act();
    else changed(offer.stop);
  }

  /// Shows the name of the stop instead of what was typed.
  async function showName() {
    const naming = namings += 1, text = await stopText(venue()?.id, stop);
    if (naming === namings && !isTyped) field.value = text;
  }

  function left() {
    if (document.activeElement === field) return;
    close();
    const isCleared = isTyped && !field.value.trim() && stop;
    isTyped = false;
    if (isCleared) changed('');
    else showName();
  }

  field.addEventListener('blur', () => {
    // The list takes its room with it: if it closed at once, what is being clicked would move away from the pointer.
    if (document.documentElement.dataset.keys) left();
    else addEventListener('pointerup', () => setTimeout(left), { once: true });
  });
  field.addEventListener('focus', () => {
    field.select();
    search();
  });
  field.addEventListener('click', () => { if (list.hidden) search(); });
  field.addEventListener('input', () => {
    isTyped = true;
    typed.later();
  });

  field.addEventListener('keydown', async (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (list.hidden) await search();
      else mark((active + step + offers.length + (active < 0 && step < 0 ? 1 : 0)) % offers.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const text = field.value.trim();
      if (active < 0 && !isTyped) return;
      if (!text && active < 0) {
        isTyped = false;
        changed('');
      } else if (active < 0) {
        await typed.now();
        choose(offers.find((offer) => offer.stop));
      } else choose(offers[active]);
    } else if (event.key === 'Escape' && !list.hidden) {
      // Otherwise it would close the panel.
      event.preventDefault();
      close();
    }
  });
  // The field keeps the focus while an offer is clicked.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => choose(offers[event.target.closest('li')?.dataset.index]));

  return {
    box, field,
    /// Shows a stop.
    show(value) {
      stop = value;
      showName();
    },
    close,
  };
}

/// A button with a sign, and what it does as its name.
export function signButton(sign, label) {
  const made = button(sign);
  made.className = 'icon-button';
  made.setAttribute('aria-label', label);
  made.title = label;
  return made;
}
