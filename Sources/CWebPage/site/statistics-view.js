import { known, parameters, selectionParameters, state } from './state.js';
import { button, element } from './document.js';
import { daysText } from './days.js';
import { isImperial } from './text.js';
import { labelled, select, statusLine } from './panel-elements.js';

/// The views of statistics: the panel of each, and its name.
const views = [['statistics', 'Totals'], ['year', 'Year'], ['explorer', 'Tiles'], ['countries', 'Countries'],
  ['stays', 'Stays']];

/// What the figures are about: the layer, and the period unless the view has one of its own.
export const scopeText = (hasPeriod = true) =>
  (state.layer === 'all' ? 'All tracks' : 'Layer ' + state.layer) + (hasPeriod ? ', ' + daysText(state.from, state.to) : '');

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
  return element('table', 'totals-table', element('thead', '', head), element('tbody', '', ...lines));
}

/// A choice with a label; `choose` is called with the value. If it has the focus, it gets it again when the view is shown
/// again: the choice is found by its name.
export function choice(label, name, options, value, choose) {
  const control = select(options, value);
  control.dataset.control = name;
  control.addEventListener('change', () => choose(control.value));
  return labelled(label, control);
}

/// A button that shows or hides something on the map; it keeps the focus as `choice` does.
export function toggle(text, name, isShown, change) {
  const made = button(text);
  made.dataset.control = name;
  made.setAttribute('aria-pressed', String(isShown));
  made.addEventListener('click', change);
  return made;
}

/// A bar as long as a share, 0…1, of the width.
export function bar(share) {
  const made = element('i');
  made.style.width = 100 * share + '%';
  return made;
}

/// A list of names with bars, [name, value, text]: the greatest value has the longest bar.
export function barList(name, lines) {
  const most = Math.max(...lines.map(([, value]) => value), 1e-9);
  const list = element('ul', 'bars', ...lines.map(([title, value, text]) => element('li', '',
    element('span', '', title), element('span', '', value > 0 ? text : '–'), ...value > 0 ? [bar(value / most)] : [])));
  list.setAttribute('aria-label', name);
  return list;
}

/// Opens a view of statistics. `load()` requests the figures, and `show(found)` returns what to show: a text of one line,
/// and elements. Both are called again when the library, the units or `key()` have changed.
export function statisticsView(body, panel, title, { key = () => '', load, show }) {
  const tabs = element('nav', 'segments', ...views.map(([name, text]) => {
    const tab = button(text);
    tab.dataset.panel = name;
    tab.setAttribute('aria-current', String(name === panel));
    // The panel that is open is not closed.
    tab.disabled = name === panel;
    return tab;
  }));
  const status = statusLine(), place = element('div');
  status.textContent = 'Adding up…';
  tabs.setAttribute('aria-label', 'Statistics');
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
      const focused = place.contains(document.activeElement) ? document.activeElement.dataset.control : undefined;
      const [text, ...parts] = show(found);
      status.textContent = text;
      place.replaceChildren(...parts);
      // The control that the reader has just used keeps the focus.
      if (focused) place.querySelector(`[data-control="${focused}"]`)?.focus();
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
