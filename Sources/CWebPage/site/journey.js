import { known, state } from './state.js';
import { button, element, listButton } from './document.js';
import { instantText, loadZone } from './calendar.js';
import { ask, definitions, statusLine } from './panel-elements.js';
import { loadPersons, loadSessions, ownPerson, pictureAddress, removeJourney, changeJourney } from './journey-data.js';
import { followJourney, metresNow, onTravel, runningSession, serverNow, stopTravel, takeJourney, travel } from './journey-travel.js';
import { makeCountdown } from './journey-countdown.js';
import { makeTimer } from './journey-timer.js';
import { doneCard, rewardCard, unlockCard } from './journey-cards.js';
import { journeyTabs, pictureOf, progressBar } from './journey-elements.js';
import { aheadText, boxOf, progressText, spanText } from './journey-text.js';
import { makeJourneyLayer } from './journey-layer.js';
import { keepInView } from './map.js';

const STATES = { running: 'running', committed: 'running', done: 'done', cancelled: 'cancelled' };

/// Opens a journey: where it leads, how long, and the way there.
export function open(body, actions) {
  const status = statusLine(), cards = element('div', 'more'), about = element('div', 'more'), list = element('ul', 'tracks places');
  const heading = element('h3', '', 'Where to?'), more = element('details', '', element('summary', '', 'Sessions and settings'));
  const chooser = element('section', 'more', heading, list), details = element('div', 'more');
  const layer = makeJourneyLayer(choosePlace), countdown = makeCountdown();
  const timer = makeTimer(() => {
    showMode();
    countdown.box.scrollIntoView({ block: 'nearest' });
  });
  more.append(details);
  body.append(journeyTabs('journey'), status, cards, countdown.box, about, chooser, timer.box, more);
  for (const part of [countdown.box, chooser, timer.box, more]) part.hidden = true;
  let destination = null, runs = 0, shown = '', picture = '', isStepping = false;

  const indexOf = (id) => travel().route.places.findIndex((place) => place.id === id);
  const isOpen = ({ id }) => travel().journey.unlocked.includes(id);
  const nextIndex = () => indexOf(travel().journey.next);

  function lookOf(place) {
    const session = runningSession(), index = indexOf(place.id);
    const isGoal = session ? (session.place ?? travel().journey.next) === place.id : index === (destination ?? nextIndex());
    if (isOpen(place)) return { kind: 'open', title: `${place.name}, unlocked` };
    return isGoal ? { kind: 'next', title: `${place.name}, destination` } : { kind: 'locked', title: `${place.name}, locked` };
  }

  /// Chooses a destination: a place that is not reached, while no session runs.
  function choosePlace(place) {
    const index = indexOf(place.id), { journey } = travel();
    if (isOpen(place)) {
      showPlace(place);
      return;
    }
    if (journey.by !== 'focus' || runningSession()) return;
    destination = index === nextIndex() ? null : index;
    timer.show(destination);
    timer.aim();
    showPlaces();
  }

  /// Shows a place that was reached, just now or before.
  function showPlace(place, isNew = false) {
    const made = unlockCard(place, isNew ? 'You have arrived' : 'Unlocked');
    cards.querySelector(`[data-place="${CSS.escape(place.id)}"]`)?.remove();
    cards.prepend(made);
    made.focus();
    made.scrollIntoView({ block: 'nearest' });
  }

  function placeLine(place, index) {
    const { milestones, journey } = travel(), look = lookOf(place);
    const stage = journey.by === 'focus' && index > 0 ? spanText(milestones[index] - milestones[index - 1]) : '';
    const line = listButton(place.name, [
      look.kind === 'open' ? 'Unlocked' : look.kind === 'next' ? 'Destination' : 'Locked', stage,
    ].filter(Boolean).join(' · '));
    line.dataset.place = place.id;
    line.className = look.kind;
    if (look.kind === 'next') line.setAttribute('aria-current', 'true');
    return element('li', '', line);
  }

  function showPlaces() {
    const { places } = travel().route, focused = list.contains(document.activeElement) && document.activeElement.dataset.place;
    list.replaceChildren(...places.map(placeLine));
    for (const place of places) layer.look(place, lookOf(place));
    if (focused) list.querySelector(`[data-place="${CSS.escape(focused)}"]`)?.focus();
  }

  function showAbout() {
    const { journey, route } = travel();
    const facts = [
      ['Ahead', aheadText(journey.ahead)], ['Until', journey.until && instantText(journey.until)],
      ['Counts', journey.by === 'metres' ? journey.where ?? 'all tracks' : ''], ['Since', journey.since && instantText(journey.since)],
    ];
    const members = journey.members.length < 2 ? [] : [element('ul', 'members', ...journey.members.map((member) => element('li', '',
      pictureOf(member.picture, 'face'), element('span', '', member.displayName ?? member.person))))];
    about.replaceChildren(progressBar(journey.metres > 0 ? metresNow() / journey.metres : 0, 'Progress of the journey'),
      element('p', 'progress', progressText({ ...journey, done: metresNow() }, route.places.length)), definitions(facts), ...members);
  }

  /// Shows the countdown while a session runs, else the choice of the next one.
  function showMode() {
    const { journey, route } = travel(), session = runningSession(), canStart = journey.by === 'focus' && !journey.finished;
    countdown.box.hidden = !session;
    timer.box.hidden = Boolean(session) || !canStart;
    heading.textContent = session || !canStart ? 'Places' : 'Where to?';
    chooser.hidden = more.hidden = false;
    if (session) {
      const goal = route.places[indexOf(session.place ?? journey.next)];
      countdown.show(session, goal?.name);
      countdown.step();
    } else {
      document.title = `${journey.name} – tileserve`;
      timer.clear();
      if (canStart) timer.show(destination);
    }
    showAbout();
    showPlaces();
    moveFigure();
  }

  /// Moves the figure to where it is now; it walks if it goes on.
  function moveFigure() {
    const now = serverNow(), metres = metresNow(now);
    layer.move(metres, Boolean(runningSession()) && metresNow(now + 1000) > metres);
  }

  async function showDetails() {
    const { journey } = travel();
    const activate = button('Make it the active journey'), remove = button('Delete this journey…'), place = element('div');
    activate.hidden = journey.active;
    activate.addEventListener('click', () => act(async () => takeJourney(await changeJourney(journey.id, { active: true }))));
    remove.addEventListener('click', () => ask(place, {
      question: 'Delete this journey with its sessions? This cannot be undone.', yes: 'Delete', no: 'Keep it',
      async confirm(line) {
        try {
          await removeJourney(journey.id);
          stopTravel();
          actions.open('journeys');
        } catch (error) {
          line.textContent = error.message;
        }
      },
      cancel() {
        place.replaceChildren();
        remove.focus();
      },
    }));
    const sessions = journey.by === 'focus' ? await loadSessions(journey.id).catch(() => []) : [];
    const lines = sessions.slice(0, 50).map((one) => element('li', '', element('span', '', instantText(one.start)),
      element('span', '', [spanText(one.seconds), STATES[one.state] ?? one.state].join(' · '))));
    details.replaceChildren(...lines.length > 0 ? [element('ul', 'sessions', ...lines)] : [],
      element('div', 'row', activate, remove), place);
  }

  async function act(work) {
    status.textContent = '';
    try {
      await work();
      if (more.open) await showDetails();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function showRewards() {
    const { journey } = travel();
    for (const reward of journey.rewards.filter(({ granted, seen }) => granted && !seen)) {
      if (!cards.querySelector(`[data-hours="${reward.hours}"]`)) cards.append(rewardCard(journey, reward));
    }
  }

  function showJourney() {
    const { journey, route, measure } = travel();
    actions.setTitle(journey.name);
    layer.show({ route, measure, picture: picture && pictureAddress(picture), lookOf });
    showMode();
    showRewards();
  }

  const handlers = {
    step() {
      const session = runningSession();
      if (session) countdown.step();
      moveFigure();
      if (isStepping) return;
      // The texts need not change so often.
      isStepping = true;
      setTimeout(() => {
        isStepping = false;
        if (travel()) showAbout();
      }, 1000);
    },
    journey() {
      showMode();
      showRewards();
    },
    session({ state: became }) {
      // After a session that was cancelled, the destination is still wanted.
      if (became === 'done') destination = null;
      showMode();
    },
    unlock({ place: id }) {
      const place = travel().route.places.find((one) => one.id === id);
      if (place) showPlace(place, true);
      if (destination !== null && isOpen(travel().route.places[destination])) destination = null;
      showMode();
    },
    reward: () => showRewards(),
    done() {
      cards.prepend(doneCard(travel().journey));
      showMode();
    },
    lost() {
      status.textContent = 'Reconnecting…';
    },
    back() {
      status.textContent = '';
    },
    refused(text) {
      status.textContent = text;
    },
  };
  const forget = onTravel((kind, value) => { if (travel()?.journey.id === state.journey) handlers[kind]?.(value); });

  async function renew() {
    if (known.revision === undefined || shown === state.journey) return;
    shown = state.journey;
    const run = runs += 1;
    status.textContent = 'Loading…';
    try {
      const [, persons] = await Promise.all([followJourney(state.journey), loadPersons(), loadZone().catch(() => null)]);
      if (run !== runs) return;
      picture = ownPerson(persons)?.picture ?? '';
      status.textContent = '';
      showJourney();
      actions.showBox(boxOf(travel().route.line));
      keepInView([travel().journey.place]);
    } catch (error) {
      if (run !== runs) return;
      shown = '';
      status.textContent = error.status === 404 ? 'This journey does not exist, or was removed.' : error.message;
    }
  }

  list.addEventListener('click', (event) => {
    const id = event.target.closest('button')?.dataset.place;
    if (id) choosePlace(travel().route.places[indexOf(id)]);
  });
  more.addEventListener('toggle', () => { if (more.open && travel()) act(showDetails); });
  renew();
  return {
    title: 'Journey', renew,
    close() {
      runs += 1;
      forget();
      layer.remove();
      if (!runningSession()) stopTravel();
    },
  };
}
