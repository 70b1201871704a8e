import { button, byId, element } from './document.js';
import { dayNextTo, loadYear, monthDays, monthInDirection, plusMonths, shadeOf } from './calendar.js';
import { DAY_MS, plusDays, utcFormat, utcTime } from './days.js';
import { counted, distanceText } from './text.js';

const [monthName, weekday, fullDate] = [
  utcFormat({ month: 'long', year: 'numeric' }), utcFormat({ weekday: 'narrow' }), utcFormat({ dateStyle: 'full' }),
];
const A_MONDAY = utcTime('2024-01-01');

let shownMonth = '', selectedDay = '', isListening = false, actions = {};

function listen() {
  isListening = true;
  const box = byId('days');
  box.addEventListener('click', async (event) => {
    const { day, month } = event.target.closest('button')?.dataset ?? {};
    if (month) showMonth(await monthInDirection(shownMonth, month));
    else if (day) {
      close();
      actions.select(day);
    }
  });
  box.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    const from = document.activeElement?.dataset.day;
    if (event.key === 'Escape') close();
    else if (steps[event.key] && from) {
      event.preventDefault();
      moveFocus(from, steps[event.key]);
    } else return;
    event.stopPropagation();
  });
}

function close() {
  actions.close();
  byId('day').focus();
}

/// Focuses the nearest day with tracks in a direction, even if it is in another month.
async function moveFocus(day, step) {
  const wanted = plusDays(day, step);
  const isShown = byId('days').querySelector('[data-day="' + wanted + '"]:enabled');
  const direction = Math.sign(step);
  const next = isShown ? wanted : await dayNextTo(plusDays(wanted, -direction), direction);
  if (!next) return;
  await showMonth(next.slice(0, 7));
  byId('days').querySelector('[data-day="' + next + '"]')?.focus();
}

/// Opens the dialog `days` at the month of a day. It calls `given.close()` to close the dialog, and `given.select` with
/// the day that the reader selects.
export async function openDays(day, given) {
  actions = given;
  if (!isListening) listen();
  selectedDay = day;
  byId('days').hidden = false;
  byId('day').setAttribute('aria-expanded', 'true');
  await showMonth(day.slice(0, 7));
  byId('days').querySelector('[aria-pressed="true"], [data-day]:enabled')?.focus();
}

async function showMonth(month) {
  shownMonth = month;
  const { byDay } = await loadYear(Number(month.slice(0, 4)));
  // Another month was requested meanwhile.
  if (month !== shownMonth) return;
  const focused = document.activeElement?.getAttribute('aria-label');
  const title = element('p', '', monthName.format(Date.parse(month + '-01')));
  title.setAttribute('aria-live', 'polite');
  const head = element('div', 'months', monthButton(month, '«', 'Previous year', -12),
    monthButton(month, '‹', 'Previous month', -1), title, monthButton(month, '›', 'Next month', 1),
    monthButton(month, '»', 'Next year', 12));
  const names = Array.from({ length: 7 }, (_, day) => element('span', '', weekday.format(A_MONDAY + day * DAY_MS)));
  const { days, blanks } = monthDays(month);
  const places = Array.from({ length: blanks }, () => element('span'));
  byId('days').replaceChildren(
    head, element('div', 'month', ...names, ...places, ...days.map((day) => dayButton(day, byDay.get(day)))));
  if (focused) [...head.querySelectorAll('button')].find((other) => other.ariaLabel === focused)?.focus();
}

function monthButton(month, text, label, count) {
  const made = button(text);
  made.dataset.month = plusMonths(month, count);
  made.setAttribute('aria-label', label);
  return made;
}

function dayButton(day, recorded) {
  const made = button(String(Number(day.slice(8))));
  made.dataset.day = day;
  made.disabled = !recorded;
  made.setAttribute('aria-pressed', String(day === selectedDay));
  if (!recorded) return made;
  made.dataset.shade = String(shadeOf(recorded));
  const facts = [counted(recorded.tracks, 'track'), distanceText(recorded.metres)];
  made.title = facts.join(', ');
  made.setAttribute('aria-label', [fullDate.format(Date.parse(day)), ...facts].join(', '));
  return made;
}
