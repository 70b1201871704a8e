import { button, element } from './document.js';
import { input, labelled, statusLine } from './panel-elements.js';
import { addSession } from './journey-data.js';
import { takeSession, travel } from './journey-travel.js';
import { positionOf, reachOf, secondsTo } from './journey-plan.js';
import { reachText, secondsOf, spanText } from './journey-text.js';

/// Lengths of sessions that are offered, in minutes.
const USUAL_MINUTES = [10, 25, 50, 90];
const UNITS = [['Hours', 24], ['Minutes', 59], ['Seconds', 59]];
/// Where the length of the last session is kept between visits.
const KEPT = 'tileserve.focus';

function keptSeconds() {
  try {
    return Number(localStorage.getItem(KEPT)) || 0;
  } catch {
    // Storage can be forbidden.
    return 0;
  }
}

function keepSeconds(seconds) {
  try {
    localStorage.setItem(KEPT, String(seconds));
  } catch {
    // The next session begins with the time to the next place.
  }
}

/// The choice of how long a session is, with what it reaches. `started` is called when one has begun.
export function makeTimer(started) {
  const fields = UNITS.map(([, max]) => input('number', { min: 0, max, step: 1, inputMode: 'numeric', required: true }));
  const rows = element('div', 'times', ...fields.map((field, index) => labelled(UNITS[index][0], field)));
  const exact = button(''), chips = element('div', 'chips', exact), reach = element('p', 'reach'), status = statusLine();
  const start = element('button', 'main start', 'Start');
  const form = element('form', 'more timer', element('h3', '', 'How long?'), rows, chips, reach, start, status);
  for (const minutes of USUAL_MINUTES) {
    const chip = button(`${minutes} min`);
    chip.addEventListener('click', () => set(minutes * 60));
    chips.append(chip);
  }
  reach.setAttribute('role', 'status');
  let destination = null, isEdited = false;

  const seconds = () => secondsOf(...fields.map(({ value }) => value));
  /// Where the journey stands, for what a session reaches.
  const plan = () => {
    const { journey, milestones, measure, isSingle } = travel();
    return { milestones, isSingle, position: positionOf(milestones, measure, journey.done) };
  };

  function set(whole) {
    isEdited = true;
    [fields[0].value, fields[1].value, fields[2].value] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    show();
  }

  function show() {
    const { places } = travel().route, needed = secondsTo(plan(), destination), wanted = seconds();
    const names = places.map(({ name }) => name), next = reachOf(plan(), 1).next;
    exact.textContent = `${spanText(needed)}: to ${names[destination ?? Math.max(0, next)]}`;
    start.disabled = !Number.isFinite(wanted);
    reach.textContent = Number.isFinite(wanted)
      ? reachText(reachOf(plan(), wanted, destination), names, { isSingle: travel().isSingle, seconds: wanted, isChosen: destination !== null })
      : 'A session has 1 s to 24 h.';
  }

  exact.addEventListener('click', () => set(secondsTo(plan(), destination)));
  for (const field of fields) {
    field.addEventListener('input', () => {
      isEdited = true;
      show();
    });
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { journey, route } = travel(), wanted = seconds();
    start.disabled = true;
    status.textContent = '';
    const asked = Date.now();
    try {
      const place = destination === null ? journey.next : route.places[destination].id;
      const session = await addSession(journey.id, { seconds: wanted, place: place ?? undefined });
      keepSeconds(wanted);
      // The server has begun it in the middle between question and answer.
      takeSession(session, (asked + Date.now()) / 2);
      started(session);
    } catch (error) {
      status.textContent = error.message;
    }
    start.disabled = false;
  });

  return {
    box: form, start,
    /// Shows what leads to a destination, the index of a place, or null for the next one.
    show(index) {
      destination = index;
      if (isEdited) show();
      else {
        set(keptSeconds() || secondsTo(plan(), destination));
        isEdited = false;
      }
    },
    /// Sets the time that leads to the destination.
    aim() {
      set(secondsTo(plan(), destination));
    },
    clear() {
      status.textContent = '';
    },
  };
}
