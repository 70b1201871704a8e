import { known } from './state.js';
import { button, element } from './document.js';
import { counted } from './text.js';
import { loadZone } from './calendar.js';
import { definitions, input, labelled, select, statusLine } from './panel-elements.js';
import { changePerson, isPerson, loadJourneys, loadPersons, loadRoutes, ownPerson, personAddress, setPicture } from './journey-data.js';
import { fileButton, journeyTabs, pictureOf } from './journey-elements.js';
import { rewardItem } from './journey-rewards.js';
import { focusText } from './journey-text.js';

const MAX_NAME = 200;

/// Opens the reader's profile.
export function open(body) {
  const status = statusLine(), content = element('div');
  body.append(journeyTabs('person'), status, content);
  let shownKey = '', runs = 0;

  async function act(work, done) {
    status.textContent = '';
    try {
      await work();
      shownKey = '';
      await renew();
      status.textContent = done;
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function show(person, journeys, routes) {
    const name = input('text', { value: person.displayName ?? '', maxLength: MAX_NAME, autocomplete: 'off', placeholder: person.name });
    const active = select([['', 'None'], ...journeys.map((journey) => [journey.id, journey.name])], person.journey ?? '');
    const save = element('button', '', 'Save'), remove = button('Drawn picture');
    const choose = fileButton('Change the picture…', 'image/*', (file) => act(() => setPicture(person.picture, file), 'The picture was changed.'));
    const form = element('form', 'filters', labelled('Name', name), labelled('Active journey', active), save);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act(() => changePerson(person.name, { displayName: name.value.trim() || null, journey: active.value || null }), 'Saved.');
    });
    remove.addEventListener('click', () => act(() => setPicture(person.picture, null), 'The picture was removed.'));
    const places = Object.entries(person.unlocked ?? {}).map(([route, ids]) => {
      const known = routes.find(({ id }) => id === route);
      return known && element('li', '', element('span', '', known.name), element('span', 'quiet', `${ids.length} of ${counted(known.places.length, 'place')}`));
    }).filter(Boolean);
    const rewards = (person.rewards ?? []).filter(({ granted }) => granted);
    const exported = Object.assign(element('a', 'button', 'Save everything as a file'), { href: personAddress(person.name), download: '' });
    content.replaceChildren(element('div', 'person', pictureOf(person.picture, 'portrait'),
      element('div', 'more', element('b', '', person.displayName || person.name), element('div', 'row', choose, remove))),
    form, definitions([
      ['Focus', focusText(person.focusSeconds)], ['Journeys', counted(journeys.length, 'journey')],
      ['Rewards', String(rewards.length)],
    ]), ...places.length > 0 ? [element('h3', '', 'Routes'), element('ul', 'sessions', ...places)] : [],
    ...rewards.length > 0 ? [element('h3', '', 'Rewards'), element('ul', 'medals', ...rewards.map((one) => rewardItem(one, one)))] : [],
    element('div', 'row', exported),
    element('p', 'quiet', 'A file with your routes, sessions, places and rewards, which another library can import.'));
  }

  async function renew() {
    const key = JSON.stringify([known.revision, isPerson()]);
    if (known.revision === undefined || key === shownKey || content.contains(document.activeElement) && shownKey) return;
    shownKey = key;
    const run = runs += 1;
    if (!isPerson()) {
      status.textContent = 'Sign in with a token of your own to have a profile.';
      return;
    }
    try {
      const [persons, journeys, routes] = await Promise.all([loadPersons(), loadJourneys(), loadRoutes(), loadZone().catch(() => null)]);
      if (run === runs) show(ownPerson(persons), journeys, routes);
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.message;
      content.replaceChildren();
    }
  }
  renew();
  return { title: 'Profile', renew, close() { runs += 1; } };
}
