import { follow } from './stream.js';
import { livePath, loadJourney, loadRoute } from './journey-data.js';
import { measureOf } from './journey-measure.js';
import { metresAt, milestonesOf, positionOf, sessionAt, walkedTo } from './journey-plan.js';

// The journey that the page follows: its figure moves with the session's clock, and the server corrects it.

const KINDS = ['journey', 'figure', 'unlock', 'reward', 'done', 'session'];
/// The figure and the countdown move so often.
const STEP_MS = 100, STEP_MS_REDUCED = 1000;
/// The clock of the server is taken as a new one if it differs by more.
const CLOCK_MS = 400;

let current = null, stream = null, timer = 0, clockOffset = 0, runs = 0;
const listeners = new Set();

/// Now by the server's clock, in milliseconds.
export const serverNow = () => Date.now() + clockOffset;

/// The journey that is followed: { journey, route, measure, milestones, anchor }; null if there is none.
export const travel = () => current;

/// Calls `changed(kind, value)` when the figure moves (`step`), or the journey changes (the kinds of the stream, `lost`,
/// `refused`). The returned function ends that.
export function onTravel(changed) {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

const tell = (kind, value) => { for (const listener of [...listeners]) listener(kind, value); };

/// The metres that the figure has gone at an instant.
export function metresNow(now = serverNow()) {
  const { journey, milestones, measure, anchor } = current;
  if (journey.by !== 'focus' || !journey.session) return journey.done;
  return metresAt(milestones, measure, walkedTo(current, anchor, sessionOf(journey), now));
}

/// The session of a journey, with the index of its destination.
function sessionOf({ session }) {
  const destination = current.route.places.findIndex(({ id }) => id === session.place);
  return { ...session, destination: destination < 0 ? null : destination };
}

/// The running session of the journey that is followed; null if there is none.
export function runningSession() {
  const session = current?.journey.session;
  return session && !sessionAt(session, serverNow()).isOver ? session : null;
}

/// Follows a journey; resolves with it. Throws as `get` does.
export async function followJourney(id) {
  if (current?.journey.id === id) {
    // The owner may have changed it.
    await renewRoute();
    return current;
  }
  const run = runs += 1, journey = await loadJourney(id), route = await loadRoute(journey.route);
  if (run !== runs) return current;
  stopTravel();
  take(journey, route);
  stream = follow(livePath(id), {}, KINDS, {
    event: takeEvent, lost: (why) => tell('lost', why), back: () => tell('back'), over() {},
    refused: (error) => tell('refused', error.message),
  });
  return current;
}

/// Ends following.
export function stopTravel() {
  runs += 1;
  stream?.close();
  stream = current = null;
  clearInterval(timer);
  timer = 0;
}

function take(journey, route = current.route) {
  const measure = current?.route === route && current.journey.metres === journey.metres
    ? current.measure : measureOf(route, journey.metres);
  const milestones = milestonesOf(route);
  current = {
    journey, route, measure, milestones, isSingle: route.single,
    anchor: { time: serverNow(), position: positionOf(milestones, measure, journey.done) },
  };
  setTimer();
}

/// Takes a journey as the server has answered it.
export function takeJourney(journey) {
  if (current?.journey.id !== journey.id) return;
  take(journey);
  tell('journey', journey);
}

/// Takes a session as the server has answered it, at an instant by the clock of the page.
export function takeSession(session, answered = Date.now()) {
  if (current?.journey.id !== session.journey) return;
  if (session.state === 'running') setClock(Date.parse(session.start) - answered);
  // Until here, the figure has walked with the session before.
  const position = positionOf(current.milestones, current.measure, metresNow());
  current.anchor = { time: serverNow(), position };
  const isOver = sessionAt(session, serverNow()).isOver;
  current.journey = { ...current.journey, session: isOver ? null : session };
  setTimer();
  tell('session', session);
}

function setClock(offset) {
  if (Math.abs(offset - clockOffset) > CLOCK_MS) clockOffset = offset;
}

async function takeEvent(kind, value) {
  if (!current) return;
  if (kind === 'journey') {
    takeJourney(value);
    return;
  }
  if (kind === 'session') {
    takeSession(value);
    return;
  }
  if (kind === 'figure') {
    const time = Date.parse(value.time);
    setClock(time - Date.now());
    current.anchor = { time, position: positionOf(current.milestones, current.measure, value.done) };
    current.journey = { ...current.journey, done: value.done, place: value.place };
    tell('step');
    return;
  }
  // What was locked has its description and picture now, and the journey has what was reached.
  if (kind === 'unlock') await renewRoute();
  const journey = await loadJourney(current.journey.id).catch(() => null);
  if (journey) takeJourney(journey);
  if (current) tell(kind, value);
}

/// Requests the route again, because places were unlocked or changed.
async function renewRoute() {
  const own = current;
  const route = await loadRoute(own.journey.route).catch(() => null);
  if (!route || current?.journey.id !== own.journey.id) return;
  take(current.journey, route);
}

function setTimer() {
  const isWanted = Boolean(current?.journey.session);
  if (!isWanted) clearInterval(timer);
  if (isWanted && timer) return;
  timer = isWanted ? setInterval(step, matchMedia('(prefers-reduced-motion: reduce)').matches ? STEP_MS_REDUCED : STEP_MS) : 0;
}

function step() {
  const { session } = current.journey;
  if (session && sessionAt(session, serverNow()).isOver) {
    // The server says what became of it; until then, the figure stays where it has arrived.
    const done = metresNow();
    current.journey = { ...current.journey, done, session: null };
    current.anchor = { time: serverNow(), position: positionOf(current.milestones, current.measure, done) };
    setTimer();
    tell('session', { ...session, state: 'done' });
    return;
  }
  tell('step');
}
