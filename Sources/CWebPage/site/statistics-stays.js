import { known, parameters, state } from './state.js';
import { button, element } from './document.js';
import { change, get, mayChange } from './server.js';
import { knownZone, loadZone } from './calendar.js';
import { leafletMap } from './map.js';
import { counted, durationText } from './text.js';
import { statisticsView, spanText } from './statistics-view.js';

/// Places that are listed.
const MAX_LISTED = 100;
const NEAR_ZOOM = 16;
const MAX_NAME = 100;

const dayText = (text) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: knownZone() })
  .format(Date.parse(text));
/// The nearest town, or an address.
const townText = ({ place }) => place.address ?? place.label ?? place.place ?? '';

/// Opens the places where somebody stayed, and lets the owner name them.
export function open(body) {
  let changes = 0, edited = '';
  const keyOf = ({ id, person }) => `${id}/${person}`;

  function go({ lon, lat }) {
    leafletMap()?.setView([lat, lon], Math.max(NEAR_ZOOM, leafletMap().getZoom()));
  }

  /// Names a place, or removes its name if it is empty.
  async function save({ id, person, name }, text, status) {
    if (text === (name ?? '')) return renewWith('');
    const path = 'v1/stays/places/' + id, whose = { person: person || undefined };
    try {
      await (text ? change('PUT', path, { name: text }, whose) : change('DELETE', path, undefined, whose));
    } catch (error) {
      status.textContent = error.message;
      return undefined;
    }
    return renewWith('');
  }

  function renewWith(wanted) {
    edited = wanted;
    changes += 1;
    return view.renew();
  }

  function form(place) {
    const input = Object.assign(element('input'), { type: 'text', value: place.name ?? '', maxLength: MAX_NAME });
    const done = button('Save'), cancel = button('Cancel'), status = element('p', 'quiet');
    const made = element('form', 'filters', element('label', '', 'Name', input), element('div', 'row', done, cancel), status);
    input.dataset.stay = 'name';
    status.setAttribute('role', 'status');
    done.type = 'submit';
    cancel.addEventListener('click', () => renewWith(''));
    made.addEventListener('submit', (event) => {
      event.preventDefault();
      save(place, input.value.trim().replace(/\s+/g, ' '), status);
    });
    setTimeout(() => input.focus());
    return made;
  }

  function line(place, most) {
    const bar = element('i'), show = button(place.name ?? (townText(place) || place.id));
    bar.style.width = 100 * place.seconds / most + '%';
    show.className = 'link';
    show.addEventListener('click', () => go(place));
    const facts = [counted(place.stays, 'stay'), ...place.last ? ['last on ' + dayText(place.last)] : [],
      ...place.name && townText(place) ? [townText(place)] : [], ...place.person ? [place.person] : []];
    const rename = button(place.name ? 'Rename' : 'Name');
    rename.className = 'link';
    rename.setAttribute('aria-label', `${place.name ? 'Rename' : 'Name'} ${show.textContent}`);
    rename.addEventListener('click', () => renewWith(keyOf(place)));
    return element('li', '', show, element('span', '', place.stays > 0 ? durationText(place.seconds * 1000) : '–'), bar,
      element('span', 'quiet', facts.join(' · '), ...mayChange() ? [' · ', rename] : []),
      ...edited === keyOf(place) ? [form(place)] : []);
  }

  function show([{ places }]) {
    const span = spanText();
    if (places.length === 0) return [`${span[0].toUpperCase()}${span.slice(1)}: nobody stayed anywhere for 10 minutes.`];
    const most = Math.max(...places.map(({ seconds }) => seconds), 1);
    const list = element('ul', 'bars', ...places.slice(0, MAX_LISTED).map((place) => line(place, most)));
    list.setAttribute('aria-label', 'Places by time spent');
    const more = places.length - MAX_LISTED;
    return [`Places where somebody stayed, ${span}. Within 50 m it is one place.`, list,
      ...more > 0 ? [element('p', 'quiet', 'and ' + counted(more, 'more place'))] : []];
  }

  const view = statisticsView(body, 'stays', 'Stays', {
    key: () => [changes, edited, state.from, state.to, known.revision, mayChange()].join(),
    load: () => Promise.all([get('v1/stays/places', parameters(['from', 'to'])), loadZone().catch(() => null)]), show,
  });
  return view;
}
