import { known, state } from './state.js';
import { button, element } from './document.js';
import { change, get, mayChange, mayContribute, photoAddress } from './server.js';
import { instantText, loadZone } from './calendar.js';
import { counted, heightText } from './text.js';
import { ask, definitions, input, labelled, select, statusLine } from './panel-elements.js';
import { locations, MAX_CATEGORY, MAX_TEXT, pinTitle, placeText, sources, visibilities } from './pins-text.js';
import { pinsChanged, showPins } from './pins-layer.js';
import { showPhotos } from './lightbox.js';
import { moveTowards } from './map.js';
import { hasMembers } from './members.js';

/// The map is moved at least to this zoom level to show a pin.
const NEAR_ZOOM = 15;

/// Opens one pin: its photo, what is known about it, votes and comments.
export function open(body, actions) {
  let shownKey = null, runs = 0, pin = null, sort = 'time', isShared = false;
  /// The comment that is being written, which stays when the comments are shown again.
  let draft = { pin: null, text: '' };
  const path = () => 'v1/pins/' + encodeURIComponent(state.pin);
  const status = statusLine(), content = element('div'), discussion = element('div');
  const back = button('All pins');
  back.dataset.panel = 'pins';
  body.append(content, discussion, status, back);

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
      src: photoAddress(pin.id, 'screen'), alt: pinTitle(pin), decoding: 'async',
    });
    const show = button(image);
    show.className = 'frame';
    show.setAttribute('aria-label', 'Show the photo large');
    show.addEventListener('click', () => showPhotos([pin], 0, actions));
    image.addEventListener('error', () => show.remove());
    const original = pin.pictures?.includes('original') ? [Object.assign(element('a', 'button', 'Original'), {
      href: photoAddress(pin.id, 'original'), download: '',
    })] : [];
    return [show, ...original];
  }

  function editing() {
    const caption = input('text', { value: pin.caption ?? '', maxLength: MAX_TEXT });
    const category = input('text', { value: pin.category ?? '', maxLength: MAX_CATEGORY });
    const remove = button('Delete this pin…'), save = button('Save');
    save.type = 'submit';
    const form = element('form', 'filters', labelled('Caption', caption), labelled('Category', category),
      element('div', 'row', save, remove));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act('PATCH', '', { caption: caption.value.trim() || null, category: category.value.trim() || null }, 'Saved.');
    });
    remove.addEventListener('click', () => ask(form, {
      question: 'Delete this pin? This cannot be undone.', yes: 'Delete', no: 'Keep it', confirm: removePin,
      cancel() {
        shownKey = null;
        renew();
      },
    }));
    return element('details', '', element('summary', '', 'Edit'), form);
  }

  async function removePin(status) {
    try {
      await change('DELETE', path());
      pinsChanged();
      actions.open('pins');
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function showPin() {
    const radius = pin.radius ? ` (± ${heightText(pin.radius)})` : '';
    const pairs = [
      ['Time', pin.time && instantText(pin.time)], ['Place', placeText(pin)], ['Category', pin.category],
      ['Kind', sources[pin.source] ?? pin.source], ['Located', (locations[pin.located] ?? pin.located) + radius],
      ['Person', pin.person], ['Camera', pin.camera], ['Shown until', pin.expires && instantText(pin.expires)],
      ['Content for', pin.visibility === 'open' ? '' : visibilities[pin.visibility]],
    ];
    const show = button('Show on the map');
    show.addEventListener('click', () => moveTowards([pin.lat, pin.lon], NEAR_ZOOM));
    const locked = pin.caption === null && pin.comments === null
      ? [element('p', 'quiet', `The content is for: ${visibilities[pin.visibility].toLowerCase()}.`)] : [];
    const restore = button('Show it again');
    restore.addEventListener('click', () => act('POST', '/restore', undefined, 'It is shown again.'));
    const hidden = pin.hidden ? [element('p', 'quiet', 'Hidden, because three persons reported it.'), restore] : [];
    content.replaceChildren(...picture(), ...locked, ...hidden, definitions(pairs), element('div', 'row', show),
      ...mayChange() || mayContribute() ? [editing()] : []);
    actions.setTitle(pinTitle(pin));
  }

  function commentItem({ id, person, time, text, score }) {
    const about = element('span', 'quiet', [' ' + instantText(time), ...score > 0 ? [counted(score, 'vote')] : []].join(' · '));
    const vote = button('Vote'), retract = button('Take back');
    vote.setAttribute('aria-label', 'Vote for this comment');
    retract.setAttribute('aria-label', 'Take my vote for this comment back');
    vote.addEventListener('click', () => act('PUT', `/comments/${id}/vote`, undefined, 'Your vote counts.'));
    retract.addEventListener('click',
      () => act('DELETE', `/comments/${id}/vote`, undefined, 'Your vote does not count any more.'));
    return element('li', '', element('b', '', person || 'Owner'), about, element('p', '', text),
      ...mayContribute() && isShared ? [element('div', 'row', vote, retract)] : []);
  }

  /// The order of the comments.
  function sorting() {
    const order = select([['time', 'Oldest first'], ['score', 'Most votes first']], sort);
    order.addEventListener('change', () => {
      sort = order.value;
      shownKey = null;
      renew();
    });
    return labelled('Order', order);
  }

  async function showDiscussion(run) {
    if (pin.comments === null) {
      discussion.replaceChildren();
      return;
    }
    const { comments } = await get(path() + '/comments' + (sort === 'time' ? '' : '?sort=' + sort));
    if (run !== runs) return;
    // Nobody votes or comments alone; but what was said stays.
    if (!isShared && comments.length === 0) {
      discussion.replaceChildren();
      return;
    }
    const vote = button('Vote for it'), retract = button('Take my vote back');
    vote.addEventListener('click', () => act('PUT', '/vote', undefined, 'Your vote counts.'));
    retract.addEventListener('click', () => act('DELETE', '/vote', undefined, 'Your vote does not count any more.'));
    const text = Object.assign(element('textarea'), {
      maxLength: MAX_TEXT, rows: 2, required: true, value: draft.pin === pin.id ? draft.text : '',
    });
    text.addEventListener('input', () => { draft = { pin: pin.id, text: text.value }; });
    const send = button('Add the comment');
    send.type = 'submit';
    const form = element('form', 'filters', labelled('Comment', text), send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      draft.text = '';
      if (text.value.trim()) act('POST', '/comments', { text: text.value.trim() });
    });
    const report = button('Report');
    report.addEventListener('click', () => act('PUT', '/report', {}, 'The owner sees your report.'));
    const list = element('ul', 'comments', ...comments.map(commentItem));
    const heading = [counted(pin.score, 'vote'), counted(comments.length, 'comment')].join(', ');
    discussion.replaceChildren(element('h3', '', heading), ...comments.length > 1 ? [sorting()] : [], list,
      ...mayContribute() && isShared ? [element('div', 'row', vote, retract, report), form] : []);
  }

  /// Whether the reader writes, edits or deletes. If the library changes then, the panel stays as it is.
  function isInUse(key) {
    const isShown = JSON.parse(key)[0] === state.pin;
    return isShown && (content.querySelector('details[open]') || discussion.querySelector('textarea')?.value.trim());
  }

  async function renew() {
    const key = JSON.stringify([state.pin, known.revision, mayContribute()]);
    if (known.revision === undefined || key === shownKey) return;
    const before = shownKey;
    if (before && isInUse(before)) return;
    shownKey = key;
    const run = runs += 1;
    try {
      const [found, isOpen] = await Promise.all([get(path()), hasMembers(), loadZone().catch(() => null)]);
      if (run !== runs) return;
      isShared = isOpen;
      // The reader may have begun while the answer was awaited.
      if (before && isInUse(before)) {
        shownKey = before;
        return;
      }
      pin = found;
      showPin();
      await showDiscussion(run);
    } catch (error) {
      if (run !== runs) return;
      shownKey = null;
      status.textContent = error.status === 404 ? 'This pin does not exist, or was removed.' : error.message;
      content.replaceChildren();
      discussion.replaceChildren();
    }
  }
  if (!state.pins) state.pins = '1';
  showPins(actions);
  renew();
  return { title: 'Pin', renew, close() { runs += 1; } };
}
