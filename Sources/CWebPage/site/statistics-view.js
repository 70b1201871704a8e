import { known, parameters, selectionParameters, state } from './state.js';
import { button, element } from './document.js';
import { dateText } from './days.js';
import { isImperial } from './text.js';

/// The views of statistics: the panel of each, and its name.
const views = [['statistics', 'Totals'], ['year', 'Year'], ['explorer', 'Tiles'], ['countries', 'Countries'],
  ['stays', 'Stays']];

/// The period of the state: `since 1 May 2024`.
export function spanText() {
  if (!state.from && !state.to) return 'all time';
  if (!state.to) return 'since ' + dateText(state.from);
  if (!state.from) return 'until ' + dateText(state.to);
  return dateText(state.from) + ' – ' + dateText(state.to);
}

/// What the figures are about: the layer, and the period unless the view has one of its own.
export const scopeText = (hasPeriod = true) =>
  (state.layer === 'all' ? 'All tracks' : 'Layer ' + state.layer) + (hasPeriod ? ', ' + spanText() : '');

/// The style from before a style of the statistics was shown.
let formerStyle = 'heat';

/// Shows a style of the statistics on the map, or, if it is shown already, the style from before.
export function toggleStyle(name) {
  if (state.style === name) {
    state.style = formerStyle;
    return;
  }
  if (!/^(explorer|countries)\b/.test(state.style)) formerStyle = state.style;
  state.style = name;
}

/// A table with a head, whose first column names the rows.
export function table(titles, rows) {
  const head = element('tr', '', ...titles.map((text) => Object.assign(element('th', '', text), { scope: 'col' })));
  const lines = rows.map(([name, ...values]) => element('tr', '',
    Object.assign(element('th', '', name), { scope: 'row' }), ...values.map((value) => element('td', '', value))));
  return element('table', 'sums', element('thead', '', head), element('tbody', '', ...lines));
}

/// A list of names with their values.
export const facts = (pairs) => element('dl', 'facts', ...pairs.map(([title, ...values]) =>
  element('div', '', element('dt', '', title), element('dd', '', ...values))));

/// A labelled choice; `choose` is called with the value.
export function choice(label, options, value, choose) {
  const select = element('select');
  select.append(...options.map(([name, text]) => new Option(text, name, false, name === value)));
  select.addEventListener('change', () => choose(select.value));
  return element('label', '', label, select);
}

/// Names with bars, of which the longest has the greatest value: [name, value, text].
export function barList(name, lines) {
  const most = Math.max(...lines.map(([, value]) => value), 1e-9);
  const list = element('ul', 'bars', ...lines.map(([title, value, text]) => {
    const bar = element('i');
    bar.style.width = 100 * value / most + '%';
    return element('li', '', element('span', '', title), element('span', '', value > 0 ? text : '–'),
      ...value > 0 ? [bar] : []);
  }));
  list.setAttribute('aria-label', name);
  return list;
}

/// Opens a view of statistics. `key()` is what its figures depend on, besides the library and the units; `load()`
/// requests them, and `show(found)` returns what to show: a text of one line, and elements.
export function statisticsView(body, panel, title, { key = () => '', load, show }) {
  const tabs = element('nav', 'segments', ...views.map(([name, text]) => {
    const tab = button(text);
    tab.dataset.panel = name;
    tab.setAttribute('aria-current', String(name === panel));
    // The panel that is open is not closed.
    tab.disabled = name === panel;
    return tab;
  }));
  const status = element('p', 'quiet', 'Adding up…'), place = element('div');
  tabs.setAttribute('aria-label', 'Statistics');
  status.setAttribute('role', 'status');
  body.append(tabs, status, place);
  let shownKey = null, runs = 0;

  async function renew() {
    const wanted = JSON.stringify([parameters(selectionParameters), known.revision, isImperial(), key()]);
    if (known.revision === undefined || wanted === shownKey) return;
    shownKey = wanted;
    const run = runs += 1;
    try {
      const found = await load();
      if (run !== runs) return;
      const focused = place.contains(document.activeElement) ? document.activeElement.dataset.stay : undefined;
      const [text, ...parts] = show(found);
      status.textContent = text;
      place.replaceChildren(...parts);
      // The choice that the reader has just made.
      if (focused) place.querySelector(`[data-stay="${focused}"]`)?.focus();
    } catch (error) {
      if (run !== runs) return;
      shownKey = null;
      status.textContent = error.status === 404 ? 'This server has no such statistics.' : error.message;
      place.replaceChildren();
    }
  }
  renew();
  return { title, renew, close() { runs += 1; } };
}
