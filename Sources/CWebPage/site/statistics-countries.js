import { parameters, selectionParameters, state } from './state.js';
import { button, element } from './document.js';
import { get } from './server.js';
import { counted, distanceText, number } from './text.js';
import { dateText } from './days.js';
import { scopeText, statisticsView, toggleStyle } from './statistics-view.js';

const headings = { visited: 'Visited', transited: 'Passed through', overflown: 'Flown over' };
const STYLE = 'countries';

/// The name of a country in the reader's language, or as the server gives it.
function names() {
  try {
    const known = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });
    return ({ code, name }) => /^[A-Z]{2}$/.test(code) && known.of(code) || name;
  } catch {
    return ({ name }) => name;
  }
}

const instantText = (text, zone) => new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium', timeStyle: 'short', timeZone: zone,
}).format(Date.parse(text));

/// Opens the countries where the tracks of the current layer and period are.
export function open(body, actions) {
  const nameOf = names();

  /// When somebody was in a country; requested when it is opened.
  function intervals(country) {
    const list = element('ul', 'quiet');
    const part = element('details', '', element('summary', '', 'When'), list);
    part.addEventListener('toggle', async () => {
      if (!part.open || list.childElementCount > 0) return;
      try {
        const found = await get('v1/countries/' + encodeURIComponent(country.code), parameters(selectionParameters));
        list.replaceChildren(...(found.intervals ?? found).map(({ region, enter, leave, metres, person }) => element('li', '',
          [enter ? instantText(enter, 'UTC') + ' – ' + instantText(leave, 'UTC') + ' UTC' : 'Without times', region, distanceText(metres), person]
            .filter(Boolean).join(' · '))));
      } catch (error) {
        list.replaceChildren(element('li', '', error.message));
      }
    });
    return part;
  }

  function line(country, most) {
    const { code, first, last, days, nights, metres } = country;
    const bar = element('i');
    bar.style.width = 100 * metres / most + '%';
    const stayed = days > 0 ? [counted(days, 'day'), ...nights > 0 ? [counted(nights, 'night')] : []] : [];
    // Points may have no time.
    const when = !first ? 'without times' : first === last ? dateText(first) : `${dateText(first)} – ${dateText(last)}`;
    return element('li', '', element('span', '', element('b', '', code), ' ' + nameOf(country)),
      element('span', '', distanceText(metres)), bar, element('span', 'quiet', [...stayed, when].join(' · ')),
      intervals(country));
  }

  function show({ countries, sea, unknown }) {
    if (countries.length === 0) return [`${scopeText()}: no country was visited.`];
    const most = Math.max(...countries.map(({ metres }) => metres), 1);
    const map = button('Show countries on the map'), isShown = state.style === STYLE;
    map.dataset.stay = 'map';
    map.setAttribute('aria-pressed', String(isShown));
    map.addEventListener('click', () => {
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
