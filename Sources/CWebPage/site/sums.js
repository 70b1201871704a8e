import { known, state } from './state.js';
import { element } from './document.js';
import { libraryZone, loadYear } from './calendar.js';
import { dateText } from './days.js';
import { distanceText, isImperial, number } from './text.js';
import { barChart } from './chart.js';
import { metresByYear, sumOfYears } from './totals.js';

const HOUR = 3600;
const MAX_BARS = 120;

const hoursText = (seconds) => {
  const hours = seconds / HOUR;
  return hours.toLocaleString(undefined, { maximumFractionDigits: hours < 10 ? 1 : 0 }) + ' h';
};

function periodText() {
  if (!state.from && !state.to) return 'all time';
  if (!state.to) return 'since ' + dateText(state.from);
  if (!state.from) return 'until ' + dateText(state.to);
  return dateText(state.from) + ' – ' + dateText(state.to);
}

/// Distances by year, if there are some years, but no more than can be seen.
function chart(years) {
  const metres = years.length > 1 ? metresByYear(years) : [];
  if (metres.length < 2 || metres.length > MAX_BARS) return [];
  return [barChart({
    name: 'Distance by year', ends: metres[0][0] + ' – ' + metres.at(-1)[0], values: metres.map(([, value]) => value),
    titles: metres.map(([year, value]) => year + ': ' + distanceText(value)),
  })];
}

function table(years) {
  const cell = (name, ...children) => element(name, '', ...children);
  const head = cell('thead', cell('tr', ...['Year', 'Distance', 'Time', 'Days'].map((text) => {
    const made = cell('th', text);
    made.scope = 'col';
    return made;
  })));
  const rows = years.map(({ year, metres, seconds, days }) => {
    const name = cell('th', String(year));
    name.scope = 'row';
    const texts = [distanceText(metres), hoursText(seconds), number.format(days)];
    return cell('tr', name, ...texts.map((text) => cell('td', text)));
  });
  return element('table', 'sums', head, cell('tbody', ...rows));
}

/// Opens the totals of the tracks in the current layer and period.
export function open(body) {
  let shownKey = null, runs = 0;

  function show({ years, all }) {
    const name = state.layer === 'all' ? 'All tracks' : 'Layer ' + state.layer;
    const what = element('p', 'quiet', `${name}, ${periodText()}. Days in ${libraryZone()}.`);
    what.setAttribute('role', 'status');
    if (all.days === 0) {
      what.textContent = `${name}, ${periodText()}: nothing was recorded.`;
      body.replaceChildren(what);
      return;
    }
    const facts = [
      ['Distance', distanceText(all.metres)], ['Time', hoursText(all.seconds)],
      ['Days with tracks', number.format(all.days)], ['Distance per day', distanceText(all.metres / all.days)],
      ['Points', number.format(all.points)], ['Years', number.format(years.length)],
    ];
    const list = element('dl', 'facts', ...facts.map(([title, text]) =>
      element('div', '', element('dt', '', title), element('dd', '', text))));
    body.replaceChildren(what, list, ...chart(years), table(years));
  }

  async function renew() {
    const key = [state.layer, state.from, state.to, known.revision, isImperial()].join('\n');
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    const run = runs += 1, isCurrent = () => run === runs;
    try {
      let read = 0;
      const found = await sumOfYears((year) => {
        read += 1;
        // Totals that are shown stay until there are new ones.
        if (read > 2 && isCurrent() && !body.querySelector('dl')) {
          body.replaceChildren(element('p', 'quiet', `Adding up ${year}…`));
        }
        return loadYear(year);
      }, state, isCurrent);
      if (isCurrent()) show(found);
    } catch (error) {
      if (!isCurrent()) return;
      shownKey = null;
      body.replaceChildren(element('p', 'quiet', 'The totals could not be loaded: ' + error.message));
    }
  }
  body.append(element('p', 'quiet', 'Adding up…'));
  renew();
  return { title: 'Totals', renew, close() { runs += 1; } };
}
