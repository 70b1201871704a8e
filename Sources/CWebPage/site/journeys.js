import { known, state } from './state.js';
import { button, element } from './document.js';
import { mayChange } from './server.js';
import { counted, distanceText, isImperial } from './text.js';
import { statusLine } from './panel-elements.js';
import { addRoute, isPerson, loadJourneys, loadRoutes } from './journey-data.js';
import { card, fileButton, journeyTabs, progressBar } from './journey-elements.js';
import { boxOf, progressText, routeType, spanText } from './journey-text.js';
import { makeJourneyLayer } from './journey-layer.js';

/// Opens the routes of the library, and the journeys of the reader.
export function open(body, actions) {
  const status = statusLine(), own = element('section', 'more'), list = element('div', 'cards'), message = statusLine();
  const all = element('section', 'more', element('h3', '', 'Routes'), list);
  const openRoute = (id) => {
    state.route = id;
    actions.open('route');
  };
  const layer = makeJourneyLayer(({ id }) => openRoute(id));
  const load = fileButton('Import a route…', '.gpx,.geojson,.json', importRoute);
  load.hidden = !mayChange();
  const show = button('Show all on the map');
  body.append(journeyTabs('journeys'), status, own, all, element('div', 'row', show, load), message);
  let shownKey = '', shownText = '', runs = 0, routes = [];

  function journeyCard(journey) {
    const route = routes.find(({ id }) => id === journey.route), places = route?.places.length ?? journey.unlocked.length;
    const facts = [
      journey.finished ? 'Finished' : progressText(journey, places), journey.by === 'metres' ? 'by kilometres' : '',
      journey.members.length > 1 ? counted(journey.members.length, 'member') : '', journey.active ? 'active' : '',
    ].filter(Boolean).join(' · ');
    const made = card(route?.picture, journey.name, journey.session ? 'A session runs now' : facts,
      progressBar(journey.metres > 0 ? journey.done / journey.metres : 0, `Progress on ${journey.name}`));
    made.dataset.journey = journey.id;
    made.classList.toggle('running', Boolean(journey.session));
    return made;
  }

  function routeCard(route) {
    const open = route.places.filter(({ locked }) => !locked).length;
    const made = card(route.picture, route.name, [
      counted(route.places.length, 'place'), distanceText(route.metres), `${spanText(route.level)} a stage`,
      open > 1 ? `${open} unlocked` : '',
    ].filter(Boolean).join(' · '));
    made.dataset.route = route.id;
    return made;
  }

  async function importRoute(file) {
    const type = routeType(file.name);
    message.textContent = type ? 'Importing…' : 'A route is a file of GPX, GeoJSON or JSON.';
    if (!type) return;
    try {
      const route = await addRoute(file, type);
      openRoute(route.id);
    } catch (error) {
      message.textContent = `${file.name}: ${error.message}`;
    }
  }

  /// Shows all routes in one copy of the world, in which their lines are drawn.
  function showAll() {
    const boxes = routes.filter(({ line }) => line.length > 1).map(({ line }) => boxOf(line)), all = (index) => boxes.map((box) => box[index]);
    actions.showBox([Math.min(...all(0)), Math.min(...all(1)), Math.max(...all(2)), Math.max(...all(3))]);
  }

  async function renew() {
    const key = JSON.stringify([known.revision, isImperial(), isPerson()]);
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    const run = runs += 1;
    if (routes.length === 0) status.textContent = 'Loading…';
    try {
      const [found, journeys] = await Promise.all([loadRoutes(), isPerson() ? loadJourneys() : []]);
      if (run !== runs) return;
      // Most changes of the library do not concern them: then what has the focus stays.
      const text = JSON.stringify([found, journeys, isImperial()]);
      if (text === shownText) return;
      shownText = text;
      const isFirst = routes.length === 0;
      routes = found;
      status.textContent = !isPerson() ? 'Sign in with a token of your own to travel.'
        : journeys.length === 0 ? 'Choose a route, set a time, and travel there while you work.' : '';
      own.hidden = journeys.length === 0;
      own.replaceChildren(element('h3', '', 'Your journeys'), element('div', 'cards', ...journeys.map(journeyCard)));
      list.replaceChildren(...routes.map(routeCard));
      all.hidden = show.hidden = routes.length === 0;
      layer.showRoutes(routes);
      if (isFirst && routes.length > 0) showAll();
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.message;
    }
  }

  body.addEventListener('click', openCard);
  function openCard(event) {
    const { route, journey } = event.target.closest('.card')?.dataset ?? {};
    if (route) openRoute(route);
    if (!journey) return;
    state.journey = journey;
    actions.open('journey');
  }
  show.addEventListener('click', showAll);
  renew();
  return {
    title: 'Journeys', renew,
    close() {
      runs += 1;
      body.removeEventListener('click', openCard);
      layer.remove();
    },
  };
}
