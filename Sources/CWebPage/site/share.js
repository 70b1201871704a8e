import { state } from './state.js';
import { button, copyText, element } from './document.js';
import { change, get, mayChange } from './server.js';
import { currentView } from './map.js';
import { instantText, loadZone } from './calendar.js';
import { counted } from './text.js';
import { ask, input, labelled, select, statusLine } from './panel-elements.js';
import { signInHint } from './sign-in.js';

/// Characters that the server takes.
const MAX_TEXT = 200;
/// With less, the streets on which tracks leave the zone tell too much of where they began.
const RADIUS_METRES = 1500;
const DAY_MS = 86_400_000;

const lifetimes = [['1', '1 day'], ['7', '7 days'], ['30', '30 days'], ['365', '1 year'], ['', 'It does not expire']];

/// What the selected tracks, the layer or an edition are called in the choice of what is shared.
function subjects(editions) {
  const tracks = state.track ? state.track.split(',') : [];
  return [
    ...tracks.length > 0 ? [['track', tracks.length === 1 ? 'This track' : counted(tracks.length, 'selected track')]] : [],
    ...state.layer && state.layer !== 'all' ? [['layer', `The layer ${state.layer}`]] : [],
    ['all', 'All tracks'],
    ...editions.map(({ name }) => ['edition ' + name, `The edition ${name}`]),
  ];
}

/// The members of the request for what is chosen.
function requested(subject) {
  if (subject === 'track') return { tracks: state.track.split(',') };
  if (subject === 'layer') return { layer: state.layer };
  return subject === 'all' ? { layer: 'all' } : { edition: subject.slice('edition '.length) };
}

/// A link that was just made: it is not shown again.
function freshLink({ url, warning }) {
  const field = input('text', { value: url, readOnly: true, spellcheck: false }), copy = button('Copy'), status = statusLine();
  field.addEventListener('focus', () => field.select());
  copy.addEventListener('click', async () => {
    status.textContent = await copyText(url) ? 'Copied.' : 'Select the link and copy it.';
  });
  const hint = 'Whoever has this link sees what you share. It is not shown again.' + (warning ? ' Careful: ' + warning + '.' : '');
  return element('section', 'more fresh-link', labelled('The link', field), element('div', 'row', copy), element('p', 'quiet', hint), status);
}

/// The form for a new link; `made` is called with the server's answer.
function linkForm(editions, places, made) {
  const what = select(subjects(editions)), label = input('text', { maxLength: MAX_TEXT, required: true, placeholder: 'such as a name' });
  const expires = select(lifetimes, '30'), password = input('text', { maxLength: MAX_TEXT, autocomplete: 'off', placeholder: 'none' });
  const middle = input('checkbox'), tiles = input('checkbox'), names = input('checkbox'), live = input('checkbox'), preview = input('checkbox');
  const hidden = element('p', 'quiet'), submit = button('Make a link'), status = statusLine();
  const hides = element('label', 'check', middle, ` Hide ${RADIUS_METRES} m around the middle of the map, such as a home`);
  const isLive = element('label', 'check', live, ' Live: show where you are while you record');
  const hasPreview = element('label', 'check', preview, ' A picture where the link is shown in chats, for everybody there');
  const keepsNames = element('label', 'check', names, ' Show the names of tracks, which may tell where they began');
  submit.type = 'submit';

  function showHidden() {
    const isEdition = what.value.startsWith('edition ');
    hides.hidden = keepsNames.hidden = isEdition;
    isLive.hidden = !['layer', 'all'].includes(what.value);
    const known = places > 0 ? `${counted(places, 'place')} that you have hidden before ${places === 1 ? 'stays' : 'stay'} hidden.`
      : middle.checked ? '' : 'No place is hidden: the link shows where tracks begin and end.';
    const delay = !isLive.hidden && !live.checked ? ' Tracks are shown three days after they were recorded.' : '';
    hidden.textContent = isEdition ? 'The edition says what is hidden.' : (known + delay).trim();
    hidden.hidden = !hidden.textContent;
  }
  for (const field of [what, middle, live]) field.addEventListener('change', showHidden);
  const showPreview = () => {
    password.disabled = tiles.checked;
    preview.disabled = tiles.checked || Boolean(password.value);
  };
  tiles.addEventListener('change', showPreview);
  password.addEventListener('input', showPreview);
  showHidden();

  const form = element('form', 'more', labelled('Share', what), labelled('With whom', label), labelled('Until', expires),
    labelled('Password', password), hides, keepsNames, isLive, hasPreview,
    element('label', 'check', tiles, ' Only tiles, for a map program'), hidden, submit, status);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { label: label.value.trim(), ...requested(what.value) };
    if (!body.label) return;
    body.expires = expires.value ? new Date(Date.now() + expires.value * DAY_MS).toISOString() : 'never';
    if (password.value && !tiles.checked) body.password = password.value;
    if (tiles.checked) body.tiles = true;
    if (preview.checked && !preview.disabled) body.preview = true;
    if (!hides.hidden && middle.checked) {
      const [, lat, lon] = currentView() ?? [];
      if (lat !== undefined) body.zones = [{ lon, lat, radiusMetres: RADIUS_METRES }];
    }
    if (!keepsNames.hidden && names.checked) body.names = true;
    if (!isLive.hidden && live.checked) body.live = true;
    submit.disabled = true;
    status.textContent = '';
    try {
      made(await change('POST', 'v1/links', body));
      label.value = password.value = '';
    } catch (error) {
      status.textContent = error.message;
    }
    submit.disabled = false;
  });
  return form;
}

/// One line of facts of a link.
const linkLine = (link) => [
  link.edition ? `edition ${link.edition}` : '', link.kind === 'tiles' ? 'tiles only' : '', link.password ? 'with password' : '',
  link.expired ? 'expired' : link.expires ? `until ${instantText(link.expires)}` : 'does not expire',
  link.lastUsed ? `used ${counted(link.uses, 'time')}, last ${instantText(link.lastUsed)}` : 'never used',
].filter(Boolean).join(' · ');

/// Opens the panel with what is shared with whom.
export function open(body, actions) {
  const title = 'Share';
  if (!mayChange()) {
    body.append(signInHint('share something', actions));
    return { title, renew() {}, close() {} };
  }
  const fresh = element('div'), place = element('div', 'more'), list = element('ul', 'shared'), status = statusLine();
  let isClosed = false;
  body.append(fresh, place, element('h3', '', 'Shared with others'), list, status);

  function row(link) {
    const revoke = button('Revoke'), line = element('li', 'more',
      element('div', 'words', element('b', '', link.label), element('span', 'quiet', linkLine(link))), revoke);
    revoke.className = 'danger';
    revoke.addEventListener('click', () => ask(line, {
      question: `Revoke the link “${link.label}”? Whoever has it sees nothing any more.`, yes: 'Revoke', no: 'Keep',
      async confirm(answer) {
        try {
          await change('DELETE', 'v1/links/' + encodeURIComponent(link.id));
          await load();
        } catch (error) {
          answer.textContent = error.message;
        }
      },
      cancel: () => line.replaceWith(row(link)),
    }));
    return line;
  }

  async function load() {
    try {
      const [{ links }] = await Promise.all([get('v1/links'), loadZone()]);
      if (isClosed) return;
      list.replaceChildren(...links.map(row));
      status.textContent = links.length === 0 ? 'Nothing is shared.' : '';
    } catch (error) {
      status.textContent = error.message;
    }
  }

  async function start() {
    try {
      const { editions, places } = await get('v1/editions');
      if (isClosed) return;
      place.replaceChildren(linkForm(editions, places, (made) => {
        fresh.replaceChildren(freshLink(made));
        fresh.querySelector('input').focus();
        load();
      }));
    } catch (error) {
      place.replaceChildren(element('p', 'quiet', error.message));
    }
  }
  start();
  load();
  return { title, renew() {}, close() { isClosed = true; } };
}
