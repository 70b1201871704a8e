import { button, element } from './document.js';
import { instantText, timeText } from './calendar.js';
import { cancelSession, loadJourney } from './journey-data.js';
import { serverNow, takeJourney } from './journey-travel.js';
import { sessionAt } from './journey-plan.js';
import { clockText } from './journey-text.js';
import { statusLine } from './panel-elements.js';
import { noticeButton } from './journey-notice.js';

const RADIUS = 54, AROUND = 2 * Math.PI * RADIUS;
/// Screen readers are told the time that is left so often.
const TOLD_SECONDS = 300;
const DAY_MS = 86_400_000;

/// The ring that empties while a session runs.
function ring() {
  const shape = (name, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    return made;
  };
  const circle = { cx: 60, cy: 60, r: RADIUS }, arc = shape('circle', { ...circle, class: 'arc', 'stroke-dasharray': AROUND });
  const picture = shape('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' });
  picture.append(shape('circle', circle), arc);
  return { picture, set: (share) => arc.setAttribute('stroke-dashoffset', (share * AROUND).toFixed(2)) };
}

/// The countdown of a session: how much is left, and, for ten seconds, the way out.
export function makeCountdown() {
  const clock = element('p', 'clock'), where = element('p', 'where'), told = statusLine(), message = statusLine();
  const cancel = button('Cancel'), left = element('i'), cancelLeft = element('span', 'quiet'), promise = element('p', 'quiet');
  const { picture, set } = ring();
  const wayOut = element('div', 'way-out', cancel, element('span', 'bar', left), cancelLeft);
  const box = element('section', 'countdown', element('div', 'ring', picture, clock), where, wayOut, promise, noticeButton(), message, told);
  clock.setAttribute('role', 'timer');
  clock.setAttribute('aria-live', 'off');
  told.className = 'visually-hidden';
  let session = null, toldAt = NaN;

  cancel.addEventListener('click', async () => {
    const own = session;
    cancel.disabled = true;
    message.textContent = '';
    try {
      await cancelSession(own.journey, own.id);
      takeJourney(await loadJourney(own.journey));
    } catch (error) {
      message.textContent = error.message;
    }
    cancel.disabled = false;
  });

  return {
    box,
    /// Shows a session that leads to a place.
    show(given, placeName) {
      if (session?.id !== given.id) toldAt = NaN;
      session = given;
      const end = Date.parse(session.end), text = end - serverNow() > DAY_MS / 2 ? instantText(end) : timeText(end);
      where.textContent = placeName ? `To ${placeName}, until ${text}` : `Until ${text}`;
      promise.textContent = `There is no pause and no way out: you arrive at ${text}. Now do what you wanted to do.`;
    },
    /// Shows the time that is left, in milliseconds by the server's clock.
    step() {
      // A step of the journey can come before the first answer that names the session.
      if (!session) return;
      const { left: milliseconds, share, cancelLeft: free } = sessionAt(session, serverNow()), seconds = Math.ceil(milliseconds / 1000);
      const text = clockText(seconds);
      if (clock.textContent !== text) clock.textContent = text;
      set(share);
      wayOut.hidden = free <= 0;
      promise.hidden = free > 0;
      if (free > 0) {
        left.style.width = free / 100 + '%';
        cancelLeft.textContent = `${Math.ceil(free / 1000)} s left to cancel`;
      }
      const point = Math.ceil(seconds / TOLD_SECONDS);
      if (point !== toldAt) told.textContent = clockText(seconds) + ' left';
      toldAt = point;
    },
  };
}
