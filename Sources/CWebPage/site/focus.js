import { known, state } from './state.js';
import { element } from './document.js';
import { counted } from './text.js';
import { dayIn } from './calendar.js';
import { barChart } from './chart.js';
import { periodNames, periodText, series } from './statistics-text.js';
import { choice, table } from './statistics-view.js';
import { definitions, statusLine } from './panel-elements.js';
import { focusAddress, isPerson, loadFocus } from './journey-data.js';
import { journeyTabs } from './journey-elements.js';
import { focusText, streaksOf } from './journey-text.js';

/// Bars of a chart, and rows of the table.
const BARS = { day: 60, week: 52, month: 36, year: 20 }, MAX_ROWS = 400;

/// The greatest of some rows, in words.
const bestText = (by, rows) => {
  const best = rows.reduce((most, row) => row.seconds > (most?.seconds ?? 0) ? row : most, null);
  return best ? `${focusText(best.seconds)}, ${periodText(by, best.from)}` : '';
};

/// How many days in a row have focus, in words; '' if there is none.
function streakText(rows) {
  const { longest, current } = streaksOf(rows.filter(({ seconds }) => seconds > 0).map(({ from }) => from), dayIn(Date.now()));
  return longest === 0 ? '' : `${counted(current, 'day')} now, at most ${longest}`;
}

/// Opens the reader's focus time by day, week, month or year.
export function open(body) {
  const status = statusLine(), content = element('div'), by = () => state.by || 'day';
  body.append(journeyTabs('focus'), status, content);
  let shownKey = '', runs = 0;

  const link = (text, ending) => Object.assign(element('a', 'button', text), {
    href: focusAddress(ending, by()), download: `focus by ${by()}.${ending}`,
  });

  function show({ zone, rows, total }) {
    const focused = content.contains(document.activeElement) ? document.activeElement.dataset.control : undefined;
    const period = periodNames[by()].toLowerCase(), shown = series(by(), rows, 'seconds', BARS[by()]);
    const when = choice('By', 'by', Object.entries(periodNames), by(), (value) => {
      state.by = value === 'day' ? '' : value;
      renew();
    });
    const bars = shown.length < 2 ? [] : [barChart({
      name: `Focus by ${period}`, ends: `${periodText(by(), shown[0][0])} – ${periodText(by(), shown.at(-1)[0])}`,
      values: shown.map(([, value]) => value), titles: shown.map(([from, value]) => `${periodText(by(), from)}: ${focusText(value)}`),
    })];
    const lines = rows.slice(-MAX_ROWS).reverse().map((row) => [periodText(by(), row.from), focusText(row.seconds), String(row.sessions)]);
    status.textContent = total.sessions === 0 ? 'No session has ended yet.' : `Days in ${zone}.`;
    content.replaceChildren(definitions([
      ['Focus', focusText(total.seconds)], ['Sessions', counted(total.sessions, 'session')], [`Best ${period}`, bestText(by(), rows)],
      ['Mean session', total.sessions > 0 ? focusText(total.seconds / total.sessions) : ''], ['Days in a row', by() === 'day' ? streakText(rows) : ''],
    ]), when, ...bars, ...lines.length > 0 ? [table([periodNames[by()], 'Focus', 'Sessions'], lines)] : [],
    element('div', 'row', link('CSV', 'csv'), link('SVG', 'svg'), link('PNG', 'png')));
    if (focused) content.querySelector(`[data-control="${focused}"]`)?.focus();
  }

  async function renew() {
    const key = JSON.stringify([known.revision, isPerson(), by()]);
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    const run = runs += 1;
    if (!isPerson()) {
      status.textContent = 'Sign in with a token of your own to have focus time.';
      return;
    }
    try {
      const found = await loadFocus(by());
      if (run === runs) show(found);
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.message;
      content.replaceChildren();
    }
  }
  renew();
  return { title: 'Focus time', renew, close() { runs += 1; } };
}
