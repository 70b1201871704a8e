import { state } from './state.js';
import { button, element } from './document.js';
import { mayChange } from './server.js';
import { input, labelled, select, statusLine } from './panel-elements.js';
import { addJourney, loadPersons, ownPerson } from './journey-data.js';

/// A row of a condition and the factor of its kilometres.
function factorRow() {
  const where = input('text', { placeholder: 'such as activity = swim', autocomplete: 'off', maxLength: 500 });
  const factor = input('number', { min: 0, max: 1000, step: 'any', value: 1 }), remove = button('✕');
  remove.className = 'icon-button';
  remove.setAttribute('aria-label', 'Remove this factor');
  const row = element('div', 'factor', labelled('Tracks where', where), labelled('Factor', factor), remove);
  remove.addEventListener('click', () => row.remove());
  row.value = () => ({ where: where.value.trim(), factor: Number(factor.value) });
  return row;
}

/// What a journey is made of, from the values of a form; days are those of the library's time zone.
export function journeyValue({ route, by, where, factors, since, until, persons }) {
  const isMetres = by === 'metres', used = factors.filter((one) => one.where && Number.isFinite(one.factor));
  return {
    route, by, where: isMetres && where || undefined, factors: isMetres && used.length > 0 ? used : undefined,
    since: isMetres && since || undefined, until: until || undefined,
    persons: persons.length > 0 ? persons : undefined,
  };
}

/// The form that starts a journey on a route.
export function makeJourneyForm(route, actions) {
  const by = select([['focus', 'By focus sessions'], ['metres', 'By recorded kilometres']]);
  const where = input('text', { placeholder: 'such as activity = walk', autocomplete: 'off', maxLength: 500 });
  const since = input('date'), until = input('date'), factors = element('div', 'more'), add = button('Add a factor…');
  const team = element('fieldset', '', element('legend', '', 'Who travels')), status = statusLine();
  const start = element('button', 'main', 'Start the journey');
  const metres = element('div', 'more', labelled('Only tracks where', where), labelled('Since', since), factors, add,
    element('p', 'quiet', 'Factors make kilometres count more: those of a swim four times, for example.'));
  const form = element('form', 'filters', labelled('How', by), metres, labelled('Arrive until (a wish)', until), team, start, status);
  metres.hidden = team.hidden = true;
  by.addEventListener('change', () => { metres.hidden = by.value !== 'metres'; });
  add.addEventListener('click', () => {
    factors.append(factorRow());
    factors.lastElementChild.querySelector('input').focus();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    start.disabled = true;
    status.textContent = '';
    try {
      const journey = await addJourney(journeyValue({
        route: route.id, by: by.value, where: where.value.trim(), factors: [...factors.children].map((row) => row.value()),
        since: since.value, until: until.value,
        persons: [...team.querySelectorAll('input:checked')].map(({ value }) => value),
      }));
      state.journey = journey.id;
      actions.open('journey');
    } catch (error) {
      status.textContent = error.message;
    }
    start.disabled = false;
  });

  /// The owner may travel with others.
  async function offerTeam() {
    const persons = await loadPersons().catch(() => []), own = ownPerson(persons);
    if (persons.length < 2) return;
    team.append(...persons.map(({ name, displayName }) => {
      const box = input('checkbox', { value: name, checked: name === own.name });
      return element('label', 'check', box, displayName || name);
    }));
    team.hidden = false;
  }
  if (mayChange()) offerTeam();
  return form;
}
