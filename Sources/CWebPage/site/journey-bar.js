import { state } from './state.js';
import { button, byId, element } from './document.js';
import { followJourney, onTravel, runningSession, serverNow, travel } from './journey-travel.js';
import { loadPersons, ownPerson } from './journey-data.js';
import { pictureOf } from './journey-elements.js';
import { sessionAt } from './journey-plan.js';
import { clockText } from './journey-text.js';
import { noticeEnd } from './journey-notice.js';

// The countdown of a running session while its panel is closed.

let bar = null, clock = null, place = null, making = null, isListening = false, openJourney = () => {};

/// Shows the time that is left of sessions from now on. The bar opens their panels.
export function listenToTravel(actions) {
  openJourney = (id) => {
    if (bar) {
      bar.hidden = true;
      delete bar.dataset.arrived;
    }
    state.journey = id;
    actions.open('journey');
  };
  if (!isListening) onTravel(show);
  isListening = true;
}

/// Shows the session of a journey: as its panel if no other one is open, else as a bar on the map.
export async function showRunning(id) {
  await followJourney(id);
  if (state.panel === '' && !state.play && !state.scene) openJourney(id);
  else show();
}

function makeBar() {
  return making ??= (async () => {
    const persons = await loadPersons().catch(() => []);
    [clock, place] = [element('b', ''), element('span', '')];
    bar = button(pictureOf(ownPerson(persons)?.picture, 'face'), clock, place);
    bar.id = 'travel';
    bar.addEventListener('click', () => openJourney(travel()?.journey.id ?? state.journey));
    byId('map').after(bar);
  })();
}

/// Shows the time that is left, or, while another panel is open, that the session has ended.
async function show(kind, value) {
  const session = runningSession(), isOpen = state.panel === 'journey' && state.journey === travel()?.journey.id;
  if (isOpen && bar) delete bar.dataset.arrived;
  if (!session) {
    const hasEnded = kind === 'session' && value.state === 'done' && travel();
    if (hasEnded) noticeEnd(travel().journey.name, travel().route.places.find(({ id }) => id === value.place)?.name);
    if (hasEnded && !isOpen && state.panel === '') openJourney(travel().journey.id);
    else if (hasEnded && !isOpen && bar) showText('✓', travel().journey.name, 'The session has ended. Show where you are.', true);
    if (bar) bar.hidden = isOpen || bar.dataset.arrived === undefined;
    return;
  }
  const text = clockText(sessionAt(session, serverNow()).left / 1000);
  const goal = travel().route.places.find(({ id }) => id === (session.place ?? travel().journey.next))?.name ?? '';
  const title = `${text} ${goal} – tileserve`;
  if (isOpen && document.title !== title) document.title = title;
  if (!bar) await makeBar();
  bar.hidden = isOpen;
  if (clock.textContent !== text || place.textContent !== goal) {
    showText(text, goal, `A session runs: ${text} left${goal && ', to ' + goal}. Show it.`);
  }
}

function showText(text, goal, label, hasArrived = false) {
  clock.textContent = text;
  place.textContent = goal;
  bar.setAttribute('aria-label', label);
  if (hasArrived) bar.dataset.arrived = '1';
}
