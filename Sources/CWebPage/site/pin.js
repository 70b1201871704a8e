import { known, state } from './state.js';
import { button, element } from './document.js';
import { address, change, get, mayChange, mayContribute } from './server.js';
import { loadZone, knownZone } from './calendar.js';
import { counted, heightText } from './text.js';
import { locations, pinTitle, placeText, sources, visibilities } from './pins-text.js';
import { pinsChanged, showPins } from './pins-layer.js';
import { showPhotos } from './lightbox.js';
import { facts } from './statistics-view.js';
import { leafletMap } from './map.js';

const NEAR_ZOOM = 15;
const instantText = (text) => new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium', timeStyle: 'short', timeZone: knownZone(),
}).format(Date.parse(text));

/// Opens one place: its photo, what is known about it, votes and comments.
export function open(body, actions) {
  let shownKey = null, runs = 0, pin = null;
  const path = () => 'v1/pins/' + encodeURIComponent(state.pin);
  const status = element('p', 'quiet'), place = element('div'), talk = element('div');
  const back = button('All places');
  back.dataset.panel = 'pins';
  status.setAttribute('role', 'status');
  body.append(place, talk, status, back);

  /// Changes something, and shows the pin again.
  async function act(method, suffix, value, done = '') {
    status.textContent = '';
    try {
      await change(method, path() + suffix, value);
      status.textContent = done;
      pinsChanged();
      shownKey = null;
      await renew();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function picture() {
    if (!pin.photo) return [];
    const image = Object.assign(element('img', 'photo'), {
      src: address(path() + '/photo', { size: 'screen' }), alt: pinTitle(pin), decoding: 'async',
    });
    const show = button(image);
    show.className = 'frame';
    show.setAttribute('aria-label', 'Show the photo large');
    show.addEventListener('click', () => showPhotos([pin], 0, actions));
    image.addEventListener('error', () => show.remove());
    const original = pin.pictures?.includes('original') ? [Object.assign(element('a', 'button', 'Original'), {
      href: address(path() + '/photo', { size: 'original' }), download: '',
    })] : [];
    return [show, ...original];
  }

  function go() {
    leafletMap()?.setView([pin.lat, pin.lon], Math.max(NEAR_ZOOM, leafletMap().getZoom()));
  }

  function editing() {
    const caption = Object.assign(element('input'), { type: 'text', value: pin.caption ?? '', maxLength: 2000 });
    const category = Object.assign(element('input'), { type: 'text', value: pin.category ?? '', maxLength: 64 });
    const remove = button('Delete this place…'), save = button('Save');
    save.type = 'submit';
    const form = element('form', 'filters', element('label', '', 'Caption', caption),
      element('label', '', 'Category', category), element('div', 'row', save, remove));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act('PATCH', '', { caption: caption.value.trim() || null, category: category.value.trim() || null }, 'Saved.');
    });
    remove.addEventListener('click', () => {
      const yes = button('Delete'), no = button('Keep it');
      yes.className = 'danger';
      no.addEventListener('click', () => {
        shownKey = null;
        renew();
      });
      yes.addEventListener('click', async () => {
        yes.disabled = no.disabled = true;
        try {
          await change('DELETE', path());
          pinsChanged();
          actions.open('pins');
        } catch (error) {
          yes.disabled = no.disabled = false;
          status.textContent = error.message;
        }
      });
      form.replaceChildren(element('p', '', 'Delete this place for ever?'), element('div', 'row', yes, no));
      no.focus();
    });
    return element('details', '', element('summary', '', 'Edit'), form);
  }

  function showPin() {
    const radius = pin.radius ? ` (± ${heightText(pin.radius)})` : '';
    const pairs = [
      pin.time ? ['Time', instantText(pin.time)] : null, ['Place', placeText(pin)],
      pin.category ? ['Category', pin.category] : null, ['Kind', sources[pin.source] ?? pin.source],
      ['Located', (locations[pin.located] ?? pin.located) + radius], pin.person ? ['Person', pin.person] : null,
      pin.camera ? ['Camera', pin.camera] : null, pin.expires ? ['Shown until', instantText(pin.expires)] : null,
      pin.visibility !== 'open' ? ['Content for', visibilities[pin.visibility]] : null,
    ].filter(Boolean);
    const show = button('Show on the map');
    show.addEventListener('click', go);
    const locked = pin.caption === null && pin.comments === null
      ? [element('p', 'quiet', `The content is for: ${visibilities[pin.visibility].toLowerCase()}.`)] : [];
    const restore = button('Show it again');
    restore.addEventListener('click', () => act('POST', '/restore', undefined, 'It is shown again.'));
    const hidden = pin.hidden ? [element('p', 'quiet', 'Hidden, because three persons reported it.'), restore] : [];
    place.replaceChildren(...picture(), ...locked, ...hidden, facts(pairs), element('div', 'row', show),
      ...mayChange() || mayContribute() ? [editing()] : []);
    actions.setTitle(pinTitle(pin));
  }

  async function showTalk(run) {
    if (pin.comments === null) return talk.replaceChildren();
    const { comments } = await get(path() + '/comments');
    if (run !== runs) return undefined;
    const vote = button('Vote for it'), retract = button('Take my vote back');
    vote.addEventListener('click', () => act('PUT', '/vote', undefined, 'Your vote counts.'));
    retract.addEventListener('click', () => act('DELETE', '/vote', undefined, 'Your vote does not count any more.'));
    const text = Object.assign(element('textarea'), { maxLength: 2000, rows: 2, required: true });
    const send = button('Add the comment');
    send.type = 'submit';
    const form = element('form', 'filters', element('label', '', 'Comment', text), send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (text.value.trim()) act('POST', '/comments', { text: text.value.trim() });
    });
    const report = button('Report');
    report.addEventListener('click', () => act('PUT', '/report', {}, 'The owner sees your report.'));
    const list = element('ul', 'comments', ...comments.map((comment) => element('li', '',
      element('b', '', comment.person || 'Owner'), element('span', 'quiet', ' ' + instantText(comment.time ?? comment.created)),
      element('p', '', comment.text))));
    talk.replaceChildren(element('h3', '', [counted(pin.score, 'vote'), counted(comments.length, 'comment')].join(', ')),
      list, ...mayContribute() ? [element('div', 'row', vote, retract, report), form] : []);
    return undefined;
  }

  async function renew() {
    const key = JSON.stringify([state.pin, known.revision, mayContribute()]);
    if (known.revision === undefined || key === shownKey) return;
    // What the reader is writing is not replaced because the library has changed, nor a place while it is being deleted.
    const isShown = shownKey && JSON.parse(shownKey)[0] === state.pin;
    if (isShown && (place.querySelector('details[open]') || talk.querySelector('textarea')?.value.trim())) return;
    shownKey = key;
    const run = runs += 1;
    try {
      const [found] = await Promise.all([get(path()), loadZone().catch(() => null)]);
      if (run !== runs) return;
      pin = found;
      showPin();
      await showTalk(run);
    } catch (error) {
      if (run !== runs) return;
      shownKey = null;
      status.textContent = error.status === 404 ? 'This place does not exist, or was removed.' : error.message;
      place.replaceChildren();
      talk.replaceChildren();
    }
  }
  if (!state.pins) state.pins = '1';
  showPins(actions);
  renew();
  return { title: 'Place', renew, close() { runs += 1; } };
}
