import { parameters, selectionParameters, state } from './state.js';
import { element } from './document.js';
import { get } from './server.js';
import { instantText } from './calendar.js';
import { countryName, counted, distanceText, number } from './text.js';
import { dateText, daysText } from './days.js';
import { bar, scopeText, statisticsView, toggle, toggleStyle } from './statistics-view.js';

const headings = { visited: 'Visited', transited: 'Passed through', overflown: 'Flown over' };
const STYLE = 'countries';

/// A stay in a country, or in one of its regions, in one line.
function intervalText({ region, enter, leave, metres, person }) {
  const when = enter ? instantText(enter, 'UTC') + ' – ' + instantText(leave, 'UTC') + ' UTC' : 'Without times';
  return [when, region, distanceText(metres), person].filter(Boolean).join(' · ');
}

/// Opens the countries where the tracks of the current layer and period are.
export function open(body, actions) {
  /// When somebody was in a country; requested when it is opened.
  function intervals(country) {
    const list = element('ul', 'quiet');
    const part = element('details', '', element('summary', '', 'When'), list);
    part.addEventListener('toggle', async () => {
      if (!part.open || list.childElementCount > 0) return;
      try {
        const found = await get('v1/countries/' + encodeURIComponent(country.code), parameters(selectionParameters));
        list.replaceChildren(...(found.intervals ?? found).map((interval) => element('li', '', intervalText(interval))));
      } catch (error) {
        list.replaceChildren(element('li', '', error.message));
      }
    });
    return part;
  }

  function line(country, most) {
    const { code, first, last, days, nights, metres } = country;
    const stayed = days > 0 ? [counted(days, 'day'), ...nights > 0 ? [counted(nights, 'night')] : []] : [];
    // Points may have no time.
    const when = !first ? 'without times' : first === last ? dateText(first) : daysText(first, last);
    return element('li', '', element('span', '', element('b', '', code), ' ' + (countryName(code) ?? country.name)),
      element('span', '', distanceText(metres)), bar(metres / most), element('span', 'quiet', [...stayed, when].join(' · ')),
      intervals(country));
  }

  function show({ countries, sea, unknown }) {
    if (countries.length === 0) return [`${scopeText()}: no country was visited.`];
    const most = Math.max(...countries.map(({ metres }) => metres), 1);
    const map = toggle('Show countries on the map', 'map', state.style === STYLE, () => {
      toggleStyle(STYLE);
      actions.changedView();
      view.renew();
    });
    const groups = Object.entries(headings).flatMap(([status, heading]) => {
      const some = countries.filter((country) => country.status === status)
        .sort((one, other) => other.days - one.days || other.metres - one.metres);
      if (some.length === 0) return [];
      const list = element('ul', 'bars', ...some.map((country) => line(country, most)));
      return [element('h3', '', `${heading}: ${number.format(some.length)}`), list];
    });
    const rest = [[sea, 'At sea'], [unknown, 'Unknown, over gaps']].filter(([part]) => part?.metres > 0)
      .map(([part, name]) => `${name}: ${distanceText(part.metres)}.`).join(' ');
    return [scopeText() + '.', element('div', 'row', map), ...groups, ...rest ? [element('p', 'quiet', rest)] : [],
      element('p', 'quiet', 'Outlines of countries: Natural Earth.')];
  }

  const view = statisticsView(body, 'countries', 'Countries', {
    key: () => state.style, load: () => get('v1/countries', parameters(selectionParameters)), show,
  });
  return view;
}
