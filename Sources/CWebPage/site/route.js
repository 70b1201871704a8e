import { known, state } from './state.js';
import { button, element } from './document.js';
import { mayChange } from './server.js';
import { counted, distanceText, isImperial } from './text.js';
import { definitions, statusLine } from './panel-elements.js';
import { isPerson, loadJourneys, loadRoute, routeAddress } from './journey-data.js';
import { journeyTabs, pictureOf } from './journey-elements.js';
import { boxOf, spanText } from './journey-text.js';
import { makeJourneyLayer } from './journey-layer.js';
import { makeJourneyForm } from './journey-start.js';

const FORMATS = [['JSON', 'json'], ['GeoJSON', 'geojson'], ['GPX', 'gpx']];

/// Opens a route: its places, and how a journey on it begins.
export function open(body, actions) {
  const status = statusLine(), content = element('div');
  let shownKey = '', shownText = '', runs = 0, route = null, editing = null, isFirst = true;
  const layer = makeJourneyLayer((place) => {
    if (editing) editing.choose(place.id);
    else content.querySelector(`[data-place="${CSS.escape(place.id)}"]`)?.scrollIntoView({ block: 'center' });
  });
  body.append(journeyTabs('route'), status, content);

  const placeItem = (place) => {
    const facts = [place.locked ? 'Locked' : 'Unlocked', place.seconds ? spanText(place.seconds) : ''].filter(Boolean).join(' · ');
    const item = element('li', place.locked ? 'locked' : 'open', element('b', '', place.name), element('span', '', facts));
    item.dataset.place = place.id;
    return item;
  };

  function exports() {
    return element('ul', 'links', ...FORMATS.map(([title, ending]) =>
      element('li', '', Object.assign(element('a', '', title), { href: routeAddress(route.id, ending), download: '' }))));
  }

  async function edit(details) {
    const { makeRouteEditor } = await import('./route-edit.js');
    editing = makeRouteEditor({
      id: route.id, actions, layer,
      changed(changedRoute) {
        showOnMap(changedRoute);
        actions.setTitle(changedRoute.name);
      },
    });
    details.append(editing.box);
  }

  function showOnMap(shown) {
    layer.show({
      route: shown, lookOf: (place) => ({ kind: place.locked ? 'locked' : 'open', title: place.locked ? `${place.name}, locked` : place.name }),
    });
  }

  function show(journeys) {
    actions.setTitle(route.name);
    const own = journeys.filter((journey) => journey.route === route.id), parts = [];
    for (const journey of own) {
      const go = button(journey.session ? 'Back to the session that runs' : 'Go on with this journey');
      go.className = 'main';
      go.addEventListener('click', () => {
        state.journey = journey.id;
        actions.open('journey');
      });
      parts.push(go);
    }
    if (isPerson()) {
      const form = makeJourneyForm(route, actions), another = element('details', '', element('summary', '', 'Start another journey here'), form);
      parts.push(own.length > 0 ? another : form);
    } else parts.push(element('p', 'quiet', 'Sign in with a token of your own to travel.'));
    const editor = element('details', 'edit', element('summary', '', 'Edit this route'));
    editor.addEventListener('toggle', () => { if (editor.open && !editing) edit(editor); });
    content.replaceChildren(pictureOf(route.picture, 'photo'), definitions([
      ['Places', counted(route.places.length, 'place')], ['Length', distanceText(route.metres)], ['A stage', spanText(route.level)],
      ['Sessions', route.single ? 'One session for each stage' : 'Sessions add up'],
    ]), ...parts, element('h3', '', 'Places'), element('ol', 'places', ...route.places.map(placeItem)),
    element('details', '', element('summary', '', 'Export'), exports()), ...mayChange() ? [editor] : []);
    showOnMap(route);
    if (isFirst) actions.showBox(boxOf(route.line));
    isFirst = false;
  }

  /// Whether the owner edits the route, or somebody fills in the form. If the library changes then, the panel stays as it is.
  function isInUse() {
    return route?.id === state.route && (editing || content.querySelector('form')?.contains(document.activeElement));
  }

  async function renew() {
    const key = JSON.stringify([state.route, known.revision, isImperial(), isPerson(), mayChange()]);
    if (known.revision === undefined || key === shownKey) return;
    if (isInUse()) return;
    const before = shownKey;
    shownKey = key;
    const run = runs += 1;
    if (!route) status.textContent = 'Loading…';
    try {
      const [found, journeys] = await Promise.all([loadRoute(state.route), isPerson() ? loadJourneys() : []]);
      if (run !== runs) return;
      status.textContent = '';
      // The reader may have begun while the answer was awaited.
      if (isInUse()) {
        shownKey = before;
        return;
      }
      // Most changes of the library do not concern the route: what the reader has opened stays open.
      const text = JSON.stringify([found, journeys, isImperial(), mayChange()]);
      if (text === shownText) return;
      shownText = text;
      if (route?.id !== found.id) isFirst = true;
      route = found;
      show(journeys);
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.status === 404 ? 'This route does not exist, or was removed.' : error.message;
      content.replaceChildren();
    }
  }
  renew();
  return {
    title: 'Route', renew,
    close() {
      runs += 1;
      editing?.close();
      layer.remove();
    },
  };
}
