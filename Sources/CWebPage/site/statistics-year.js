import { state } from './state.js';
import { button, element } from './document.js';
import { get } from './server.js';
import { barChart, calendarChart } from './chart.js';
import { loadYear } from './calendar.js';
import { counted, distanceText, number } from './text.js';
import { dateText, daysText } from './days.js';
import { activityText, measures, monthName, periodText, shades, weekdayName, weeksOf } from './statistics-text.js';
import { definitions } from './panel-elements.js';
import { barList, choice, scopeText, statisticsView } from './statistics-view.js';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const layer = () => state.layer === 'all' ? {} : { layer: state.layer };

/// The days of a year, one square each, in weeks from left to right.
function calendar(year, days) {
  const metres = new Map(days.map((day) => [day.day, day.metres]));
  const shade = shades([...metres.values()]);
  return calendarChart({
    name: 'Distance by day', ends: monthName(1) + ' – ' + monthName(12),
    columns: weeksOf(year).map((week) => week.map((day) => day && {
      shade: shade(metres.get(day) ?? 0), title: `${dateText(day)}: ${distanceText(metres.get(day) ?? 0)}`,
    })),
  });
}

function months(rows) {
  const values = Array(12).fill(0);
  for (const { from, metres } of rows) values[Number(from.slice(5, 7)) - 1] = metres;
  return barChart({
    name: 'Distance by month', ends: monthName(1) + ' – ' + monthName(12), values,
    titles: values.map((value, index) => `${monthName(index + 1)}: ${distanceText(value)}`),
  });
}

/// Opens the review of a year.
export function open(body, actions) {
  async function load() {
    const { rows } = await get('v1/stats', { by: 'year', ...layer() });
    const years = rows.map(({ period }) => Number(period)).reverse();
    const year = years.includes(Number(state.year)) ? Number(state.year) : years[0];
    if (year === undefined) return { years };
    const path = 'v1/stats/year/' + String(year).padStart(4, '0');
    const [review, { days }] = await Promise.all([get(path, layer()), loadYear(year)]);
    return { years, year, review, days };
  }

  function showTrack({ id }) {
    state.track = id;
    actions.selected();
  }

  function best({ biggestDay, longestTrack, mostActiveMonth, mostActiveWeekday, streak, newTiles, newCountries }) {
    const pairs = [];
    if (biggestDay) pairs.push(['Longest day', `${dateText(biggestDay.date)}, ${distanceText(biggestDay.metres)}`]);
    if (longestTrack) {
      const show = button(longestTrack.name || dateText(longestTrack.date));
      show.className = 'link';
      show.addEventListener('click', () => showTrack(longestTrack));
      pairs.push(['Longest track', show, ', ' + distanceText(longestTrack.metres)]);
    }
    if (streak.longest > 1) {
      const { longest, from, to } = streak;
      pairs.push(['Longest streak', `${counted(longest, 'day')}, ${daysText(from, to)}`]);
    }
    if (mostActiveMonth) {
      const weekday = weekdayName(weekdays.indexOf(mostActiveWeekday));
      pairs.push(['Most active', `${periodText('month', mostActiveMonth.from)}; ${weekday}s`]);
    }
    if (newTiles > 0) pairs.push(['New tiles', number.format(newTiles)]);
    if (newCountries?.length > 0) pairs.push(['New countries', newCountries.map(({ name }) => name).join(', ')]);
    return definitions(pairs);
  }

  function show({ years, year, review, days }) {
    if (year === undefined) return [`${scopeText(false)}: nothing was recorded.`];
    const select = choice('Year', 'year', years.map((one) => [String(one), String(one)]), String(year), (value) => {
      state.year = value;
      view.renew();
    });
    const { total } = review;
    const used = review.activities.filter(({ metres }) => metres > 0);
    const byWeekday = weekdays.map((name, index) => {
      const metres = review.weekdays.find(({ weekday }) => weekday === name)?.metres ?? 0;
      return [weekdayName(index), metres, distanceText(metres)];
    });
    const period = button(`Show ${year} on the map`);
    period.addEventListener('click', () => {
      const text = String(year).padStart(4, '0');
      [state.from, state.to] = [text + '-01-01', text + '-12-31'];
      actions.changedView();
    });
    return [
      `${scopeText(false)}. Days in ${review.zone}.`, select,
      definitions(Object.entries(measures).map(([name, { name: title, text }]) => [title, text(total[name])])),
      calendar(year, days), months(review.months), best(review),
      ...used.length > 1 ? [element('h3', '', 'Distance by activity'), barList('By activity',
        used.map(({ activity, metres }) => [activityText(activity), metres, distanceText(metres)]))] : [],
      element('h3', '', 'Distance by weekday'), barList('By weekday', byWeekday), element('div', 'row', period),
    ];
  }

  const view = statisticsView(body, 'year', 'Year in review', { key: () => state.year, load, show });
  return view;
}
