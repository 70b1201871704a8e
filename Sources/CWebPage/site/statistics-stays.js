import { known, parameters, state } from './state.js';
import { button, element } from './document.js';
import { change, get, mayChange } from './server.js';
import { dayIn, loadZone } from './calendar.js';
import { dateText, daysText } from './days.js';
import { moveTowards } from './map.js';
import { capitalized, counted, durationText } from './text.js';
import { input, labelled, statusLine } from './panel-elements.js';
import { bar, statisticsView } from './statistics-view.js';

/// Places that are listed.
const MAX_LISTED = 100;
/// The map is moved at least to this zoom level to show a place.
const NEAR_ZOOM = 16;
const MAX_NAME = 100;

/// The nearest town, or an address.
const townText = ({ place }) => place.address ?? place.label ?? place.place ?? '';

/// Opens the places where somebody stayed, and lets the owner name them.
export function open(body) {
  let changes = 0, edited = '';
  const keyOf = ({ id, person }) => `${id}/${person}`;

  /// Names a place, or removes its name if it is empty.
  async function save({ id, person, name }, text, status) {
    if (text === (name ?? '')) {
      edit('');
      return;
    }
    const path = 'v1/stays/places/' + id, whose = { person: person || undefined };
    try {
      await (text ? change('PUT', path, { name: text }, whose) : change('DELETE', path, undefined, whose));
    } catch (error) {
      status.textContent = error.message;
      return;
    }
    edit('');
  }

  /// Shows the list again, with a field for the name of the place with a key; without one if the key is ''.
  function edit(key) {
    edited = key;
    changes += 1;
    view.renew();
  }

  function form(place) {
    const name = input('text', { value: place.name ?? '', maxLength: MAX_NAME });
    const done = button('Save'), cancel = button('Cancel'), status = statusLine();
    const made = element('form', 'filters', labelled('Name', name), element('div', 'row', done, cancel), status);
    name.dataset.control = 'name';
    done.type = 'submit';
    cancel.addEventListener('click', () => edit(''));
    made.addEventListener('submit', (event) => {
      event.preventDefault();
      save(place, name.value.trim().replace(/\s+/g, ' '), status);
    });
    setTimeout(() => name.focus());
    return made;
  }

  function line(place, most) {
    const show = button(place.name ?? (townText(place) || place.id));
    show.className = 'link';
    show.addEventListener('click', () => moveTowards([place.lat, place.lon], NEAR_ZOOM));
    const last = place.last && 'last on ' + dateText(dayIn(Date.parse(place.last)));
    const facts = [counted(place.stays, 'stay'), ...last ? [last] : [],
      ...place.name && townText(place) ? [townText(place)] : [], ...place.person ? [place.person] : []];
    const rename = button(place.name ? 'Rename' : 'Name');
    rename.className = 'link';
    rename.setAttribute('aria-label', `${place.name ? 'Rename' : 'Name'} ${show.textContent}`);
    rename.addEventListener('click', () => edit(keyOf(place)));
    const time = place.stays > 0 ? durationText(place.seconds * 1000) : '–';
    return element('li', '', show, element('span', '', time), bar(place.seconds / most),
      element('span', 'quiet', facts.join(' · '), ...mayChange() ? [' · ', rename] : []),
      ...edited === keyOf(place) ? [form(place)] : []);
  }

  function show([{ places }]) {
    const days = daysText(state.from, state.to);
    if (places.length === 0) return [`${capitalized(days)}: nobody stayed anywhere for 10 minutes.`];
    const most = Math.max(...places.map(({ seconds }) => seconds), 1);
    const list = element('ul', 'bars', ...places.slice(0, MAX_LISTED).map((place) => line(place, most)));
    list.setAttribute('aria-label', 'Places by time spent');
    const more = places.length - MAX_LISTED;
    return [`Places where somebody stayed, ${days}. Within 50 m it is one place.`, list,
      ...more > 0 ? [element('p', 'quiet', 'and ' + counted(more, 'more place'))] : []];
  }

  const view = statisticsView(body, 'stays', 'Stays', {
    key: () => [changes, edited, state.from, state.to, known.revision, mayChange()].join(),
    load: () => Promise.all([get('v1/stays/places', parameters(['from', 'to'])), loadZone().catch(() => null)]), show,
  });
  return view;
}
