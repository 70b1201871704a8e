import { parameters, selectionParameters, state } from './state.js';
import { element } from './document.js';
import { address, get } from './server.js';
import { barChart } from './chart.js';
import { counted, distanceText, isImperial, number } from './text.js';
import { daysText } from './days.js';
import {
  activityText, hoursText, MAX_BARS, measures, periodNames, periodText, series,
} from './statistics-text.js';
import { definitions } from './panel-elements.js';
import { barList, choice, scopeText, statisticsView, table } from './statistics-view.js';

/// Rows of the table that are shown.
const MAX_ROWS = 400;

function eddingtonText({ km, mi }) {
  const [{ number: reached, missing }, unit] = isImperial() ? [mi, 'mi'] : [km, 'km'];
  const next = missing === 0 ? '' : `; ${counted(missing, 'more day')} of ${reached + 1} ${unit} for ${reached + 1}`;
  return reached === 0 ? 'none yet' : `${reached}: ${counted(reached, 'day')} of ${reached} ${unit} or more${next}`;
}

function streakText({ longest, from, to, current }) {
  if (longest === 0) return 'none';
  const now = current > 1 ? `; now ${counted(current, 'day')}` : '';
  return `${counted(longest, 'day')}, ${daysText(from, to)}${now}`;
}

function chart(by, measure, rows) {
  const shown = series(by, rows, measure), { name, text } = measures[measure], period = periodNames[by].toLowerCase();
  if (shown.length < 2) return [];
  const bars = barChart({
    name: `${name} by ${period}`, ends: `${periodText(by, shown[0][0])} – ${periodText(by, shown.at(-1)[0])}`,
    values: shown.map(([, value]) => value),
    titles: shown.map(([from, value]) => `${periodText(by, from)}: ${text(value)}`),
  });
  return shown.length < MAX_BARS ? [bars] : [bars, element('p', 'quiet', `The last ${counted(MAX_BARS, period)}.`)];
}

function details(by, rows) {
  const titles = [periodNames[by], 'Distance', 'Moving', 'Climb', 'Days'];
  const lines = rows.slice(-MAX_ROWS).reverse().map((row) => [periodText(by, row.from), distanceText(row.metres),
    hoursText(row.movingSeconds), measures.climb.text(row.climb), number.format(row.days)]);
  const link = Object.assign(element('a', 'button', 'All rows as CSV'), {
    href: address('v1/stats.csv', parameters(selectionParameters, { by })), download: `tracks by ${by}.csv`,
  });
  return element('details', '', element('summary', '', `Table by ${periodNames[by].toLowerCase()}`),
    table(titles, lines), element('div', 'row', link));
}

/// Opens the totals of the tracks in the current layer and period.
export function open(body) {
  const measure = () => state.measure || 'metres', by = () => state.by || 'month';
  const choose = (name, usual) => (value) => {
    state[name] = value === usual ? '' : value;
    view.renew();
  };

  function show({ zone, rows, total, untimed, activities, streak, eddington }) {
    if (total.days === 0 && untimed.tracks === 0) return [`${scopeText()}: nothing was recorded.`];
    const totals = Object.entries(measures).map(([name, { name: title, text }]) => [title, text(total[name])]);
    const what = choice('Show', 'measure', Object.entries(measures).map(([name, { name: title }]) => [name, title]),
      measure(), choose('measure', 'metres'));
    const when = choice('By', 'by', Object.entries(periodNames), by(), choose('by', 'month'));
    const used = activities.filter((activity) => activity[measure()] > 0);
    const parts = [definitions(totals), element('div', 'pair', what, when), ...chart(by(), measure(), rows)];
    if (used.length > 1) {
      parts.push(element('h3', '', measures[measure()].name + ' by activity'), barList('By activity',
        [...used].sort((one, other) => other[measure()] - one[measure()]).map((activity) =>
          [activityText(activity.activity), activity[measure()], measures[measure()].text(activity[measure()])])));
    }
    parts.push(definitions([
      ['Longest streak', streakText(streak)], ['Eddington number', eddingtonText(eddington)],
    ]));
    if (untimed.tracks > 0) {
      parts.push(element('p', 'quiet',
        `${counted(untimed.tracks, 'track')} without times, ${distanceText(untimed.metres)}, not in these figures.`));
    }
    return [`${scopeText()}. Days in ${zone}.`, ...parts, details(by(), rows)];
  }

  const view = statisticsView(body, 'statistics', 'Statistics', {
    key: () => [by(), measure()], load: () => get('v1/stats', parameters(selectionParameters, { by: by() })), show,
  });
  return view;
}
