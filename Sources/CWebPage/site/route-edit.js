import { button, element } from './document.js';
import { ask, input, labelled, statusLine } from './panel-elements.js';
import { addPlace, changePlace, changeRoute, loadRoute, removePlace, removeRoute, setPicture } from './journey-data.js';
import { fileButton, pictureOf } from './journey-elements.js';

const MAX_NAME = 200, MAX_TEXT = 4000;
const PICTURES = 'image/*';

/// What changes about a place, from the texts of its form; null if nothing does.
export function placePatch(place, { name, description, tags, credit, seconds }) {
  const patch = {}, list = [...new Set(tags.split(',').map((tag) => tag.trim()).filter(Boolean))];
  if (name.trim() !== place.name) patch.name = name.trim();
  if (description.trim() !== (place.description ?? '')) patch.description = description.trim() || null;
  if (credit.trim() !== (place.credit ?? '')) patch.credit = credit.trim() || null;
  if (list.join() !== (place.tags ?? []).join()) patch.tags = list;
  const time = seconds === '' ? null : Math.round(Number(seconds) * 60);
  if (time !== (place.seconds ?? null)) patch.seconds = time;
  return Object.keys(patch).length > 0 ? patch : null;
}

/// The owner's form for a route: its facts and its places. `changed` is called with the route after each change.
export function makeRouteEditor({ id, actions, layer, changed }) {
  const box = element('div', 'more'), status = statusLine();
  let route = null, openId = '', message = '';

  /// Changes something, and shows the route again.
  async function act(work, done = 'Saved.') {
    status.textContent = '';
    try {
      await work();
      message = done;
      await renew();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  async function renew() {
    route = await loadRoute(id, true);
    changed(route);
    show();
    status.textContent = message;
    message = '';
  }

  /// Calls `take` with the next place that is clicked on the map.
  function fromMap(text, take) {
    status.textContent = text;
    layer.takeClicks(async (latlng) => {
      layer.takeClicks(null);
      const { lat, lng: lon } = latlng.wrap();
      await take({ lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) });
      return true;
    });
  }

  function pictureRow(path, label) {
    const choose = fileButton('Picture…', PICTURES, (file) => act(() => setPicture(path, file)));
    const remove = button('Drawn picture');
    remove.title = 'Removes the picture; a map is drawn instead';
    remove.addEventListener('click', () => act(() => setPicture(path, null)));
    choose.querySelector('button').setAttribute('aria-label', `Choose a picture of ${label}`);
    return element('div', 'row', pictureOf(path, 'thumb', true), choose, remove);
  }

  function routeForm() {
    const name = input('text', { value: route.name, maxLength: MAX_NAME, required: true });
    const level = input('number', { value: route.level / 60, min: 1 / 60, max: 1440, step: 'any', required: true });
    const single = input('checkbox', { checked: route.single }), save = element('button', '', 'Save');
    const form = element('form', 'filters', labelled('Name', name), labelled('Minutes of a stage', level),
      element('label', 'check', single, 'Each stage asks for one session of its full length'), save);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act(() => changeRoute(id, { name: name.value.trim(), level: Math.round(Number(level.value) * 60), single: single.checked }));
    });
    return form;
  }

  function placeForm(place, index) {
    const name = input('text', { value: place.name, maxLength: MAX_NAME, required: true });
    const description = Object.assign(element('textarea'), { value: place.description ?? '', maxLength: MAX_TEXT, rows: 3 });
    const tags = input('text', { value: (place.tags ?? []).join(', ') }), credit = input('text', { value: place.credit ?? '', maxLength: MAX_TEXT });
    const seconds = input('number', { value: place.seconds ? place.seconds / 60 : '', min: 1 / 60, max: 1440, step: 'any', placeholder: String(route.level / 60) });
    const save = element('button', '', 'Save'), move = button('Move on the map…'), remove = button('Remove…'), question = element('div');
    const up = button('↑ Earlier'), down = button('↓ Later');
    up.disabled = index === 0;
    down.disabled = index === route.places.length - 1;
    up.addEventListener('click', () => act(() => changePlace(id, place.id, { position: index - 1 })));
    down.addEventListener('click', () => act(() => changePlace(id, place.id, { position: index + 1 })));
    move.addEventListener('click', () => fromMap(`Click where ${place.name} is.`, (at) => act(() => changePlace(id, place.id, at))));
    remove.addEventListener('click', () => ask(question, {
      question: `Remove ${place.name} from this route?`, yes: 'Remove', no: 'Keep it',
      confirm: () => act(() => removePlace(id, place.id), 'Removed.'),
      cancel() {
        question.replaceChildren();
        remove.focus();
      },
    }));
    const form = element('form', 'filters', labelled('Name', name), labelled('Description', description),
      labelled('Tags, separated by commas', tags), labelled('Source and licence', credit),
      labelled('Minutes from the place before', seconds), element('div', 'row', save, move), element('div', 'row', up, down, remove));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const patch = placePatch(place, {
        name: name.value, description: description.value, tags: tags.value, credit: credit.value, seconds: seconds.value,
      });
      if (patch) act(() => changePlace(id, place.id, patch));
      else status.textContent = 'Nothing was changed.';
    });
    const path = `/v1/routes/${encodeURIComponent(id)}/places/${encodeURIComponent(place.id)}/picture`;
    return element('div', 'more', form, pictureRow(path, place.name), question);
  }

  function placeRow(place, index) {
    const made = element('details', 'place', element('summary', '', `${index + 1}. ${place.name}`));
    made.dataset.edits = place.id;
    const fill = () => {
      if (made.open && made.children.length === 1) made.append(placeForm(place, index));
      if (made.open) openId = place.id;
      else if (openId === place.id) openId = '';
    };
    made.addEventListener('toggle', fill);
    made.open = openId === place.id;
    return made;
  }

  function show() {
    const add = button('Add a place on the map…'), remove = button('Delete this route…'), question = element('div');
    add.addEventListener('click', () => fromMap('Click where the new place is.', (at) => act(async () => {
      const before = new Set(route.places.map((place) => place.id));
      await addPlace(id, { name: `Place ${route.places.length + 1}`, ...at });
      const next = await loadRoute(id, true);
      openId = next.places.find((place) => !before.has(place.id))?.id ?? '';
    }, 'Added. Give it a name.')));
    remove.addEventListener('click', () => ask(question, {
      question: `Delete “${route.name}” with its places?`, yes: 'Delete', no: 'Keep it',
      async confirm(line) {
        try {
          await removeRoute(id);
          actions.open('journeys');
        } catch (error) {
          line.textContent = error.message;
        }
      },
      cancel() {
        question.replaceChildren();
        remove.focus();
      },
    }));
    box.replaceChildren(routeForm(), pictureRow(`/v1/routes/${encodeURIComponent(id)}/picture`, route.name), element('h3', '', 'Places'),
      ...route.places.map(placeRow), element('div', 'row', add, remove), question, status);
  }

  renew().catch((error) => {
    box.replaceChildren(status);
    status.textContent = error.message;
  });
  return {
    box,
    /// Opens the form of a place.
    choose(place) {
      openId = place;
      const made = box.querySelector(`[data-edits="${CSS.escape(place)}"]`);
      if (!made) return;
      made.open = true;
      made.scrollIntoView({ block: 'nearest' });
      made.querySelector('summary').focus();
    },
    close() {
      layer.takeClicks(null);
    },
  };
}
