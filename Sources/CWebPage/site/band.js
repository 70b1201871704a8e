import { known, state } from './state.js';
import { button, byId, element, setNotice } from './document.js';
import { forgetDays, recordedYears } from './calendar.js';
import { dateText, today } from './days.js';
import { counted, distanceText } from './text.js';
import { get } from './server.js';
import { NOT_LOADED } from './side.js';
import { showBox } from './map.js';
import { union } from './boxes.js';
import { dayAt, makeBand, shareOf, windowAfter, yearsAgo } from './band-scale.js';

/// The width of one bar, in pixels.
const BAR_PIXELS = 3;
/// A movement of the pointer below this is a click.
const CLICK_PIXELS = 4;
/// While the pointer is held, the map shows a new period at most once in this time.
const FOLLOW_MS = 120;
const NARROW = matchMedia('(max-width: 560px)');

const body = byId('band');
const canvas = element('canvas'), course = element('div', 'course'), label = element('p', 'when');
const chosen = element('div', 'chosen'), head = element('div', 'head');
const ago = button('');
const ends = { from: makeHandle('from', 'First day'), to: makeHandle('to', 'Last day') };
let band = null, actions = {}, held = null, following = 0, playhead = null;

function makeHandle(end, name) {
  const handle = element('span', 'handle');
  handle.dataset.end = end;
  handle.tabIndex = 0;
  handle.setAttribute('role', 'slider');
  handle.setAttribute('aria-label', name);
  return handle;
}

/// The selected days; those of the whole band where nothing is selected.
const selected = () => [state.from || band.first, state.to || band.last];

function showSelection() {
  if (!band) return;
  const [from, to] = selected(), isAll = !state.from && !state.to;
  const [left, right] = [shareOf(band, from), shareOf(band, to, true)];
  chosen.style.left = left * 100 + '%';
  chosen.style.width = Math.max(0, right - left) * 100 + '%';
  chosen.hidden = isAll;
  for (const [end, share, day] of [['from', left, from], ['to', right, to]]) {
    ends[end].style.left = share * 100 + '%';
    ends[end].setAttribute('aria-valuenow', Math.round(share * 1000));
    ends[end].setAttribute('aria-valuemin', 0);
    ends[end].setAttribute('aria-valuemax', 1000);
    ends[end].setAttribute('aria-valuetext', dateText(day));
  }
  label.textContent = isAll ? 'All time' : dateText(from) + ' – ' + dateText(to);
}

function draw() {
  const { width, height } = canvas.getBoundingClientRect();
  if (!band || width < 1) return;
  const ratio = devicePixelRatio || 1, context = canvas.getContext('2d'), room = height - 14;
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name);
  const bars = band.bars(Math.floor(width / BAR_PIXELS));
  context.fillStyle = color('--accent');
  bars.forEach((share, bar) => {
    const tall = share > 0 ? Math.max(2, Math.sqrt(share) * room) : 0;
    context.fillRect(bar * width / bars.length, room - tall, width / bars.length - 1, tall);
  });
  context.fillStyle = color('--faint');
  context.fillRect(0, room, width, 1);
  context.font = '11px system-ui, sans-serif';
  let free = 0;
  for (const { share, text } of band.ticks) {
    const x = share * width, wide = context.measureText(text).width;
    context.fillRect(x, room, 1, 4);
    if (x < free || x + wide > width) continue;
    context.fillText(text, x + 3, height - 2);
    free = x + wide + 12;
  }
  if (playhead !== null) {
    context.fillStyle = color('--ink');
    context.fillRect(playhead * width - 1, 0, 2, room);
  }
}

// Selecting

function select([from, to], isFinal) {
  state.from = from === band.first ? '' : from;
  state.to = to === band.last ? '' : to;
  known.isDragging = !isFinal;
  showSelection();
  clearTimeout(following);
  if (isFinal) {
    following = 0;
    actions.changed();
    return;
  }
  following = setTimeout(actions.follow, FOLLOW_MS);
}

const shareAt = ({ clientX }) => {
  const { left, width } = course.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
};

function listen() {
  course.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !band) return;
    event.preventDefault();
    course.setPointerCapture(event.pointerId);
    const end = event.target.dataset?.end, isMove = !end && event.target === chosen;
    const kind = end ?? (isMove ? 'move' : 'new');
    held = { kind, share: shareAt(event), x: event.clientX, before: selected(), moved: false };
    if (end) event.target.focus();
  });
  course.addEventListener('pointermove', (event) => {
    if (!held) {
      showDay(dayAt(band, shareAt(event)));
      return;
    }
    held.moved ||= Math.abs(event.clientX - held.x) >= CLICK_PIXELS;
    if (held.moved) select(windowAfter(band, held, shareAt(event)), false);
  });
  course.addEventListener('pointerup', (event) => {
    if (!held) return;
    if (held.moved) select(windowAfter(band, held, shareAt(event)), true);
    else if (held.kind === 'new' && (state.from || state.to)) select([band.first, band.last], true);
    held = null;
  });
  course.addEventListener('pointercancel', () => {
    if (held?.moved) select(held.before, true);
    held = null;
  });
  course.addEventListener('pointerleave', showSelection);
  course.addEventListener('keydown', (event) => {
    const { end } = event.target.dataset, step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!end || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const before = selected(), width = event.shiftKey ? 0.05 : 0.005;
    const share = shareOf(band, before[end === 'from' ? 0 : 1]) + step * width;
    select(windowAfter(band, { kind: end, before, share }, Math.min(1, Math.max(0, share))), true);
  });
  new ResizeObserver(draw).observe(canvas);
}

function showDay(day) {
  const found = band?.byDay.get(day);
  if (!band) return;
  const facts = found ? ': ' + counted(found.tracks, 'track') + ', ' + distanceText(found.metres) : '';
  label.textContent = dateText(day) + facts;
}

// The same day of an earlier year

function showAgo() {
  const found = band && yearsAgo(band, today());
  ago.hidden = !found;
  if (!found) return;
  ago.dataset.day = found.day;
  ago.textContent = found.years === 1 ? 'A year ago today' : found.years + ' years ago today';
}

/// Selects the day of the button, and moves the map to its tracks.
async function selectAgo() {
  const { day } = ago.dataset;
  state.from = state.to = day;
  actions.changed();
  const { tracks } = await get('v1/tracks', { from: day, to: day, layer: state.layer }).catch(() => ({ tracks: [] }));
  const boxes = tracks.map(({ bbox }) => bbox).filter(Boolean);
  if (boxes.length > 0) showBox(union(boxes));
}

// On a narrow screen the band is a part of the sheet.
function place() {
  if (NARROW.matches) byId('playing').before(body);
  else byId('panel').before(body);
  draw();
}

/// Shows how far a film of the whole life has come: an instant in milliseconds; null when it is over.
export function showPlayhead(instant) {
  playhead = instant === null ? null : shareOf(band, new Date(instant).toISOString().slice(0, 10));
  if (instant === null) showSelection();
  else label.textContent = dateText(new Date(instant).toISOString());
  draw();
}

/// The days with tracks, and the first and last of them; null if there are none.
export const recorded = () => band;

/// Loads the days again, and shows them.
export async function renewBand() {
  forgetDays();
  const years = await recordedYears();
  band = makeBand(years.flatMap(({ days }) => days));
  body.hidden = !band;
  showAgo();
  showBand();
}

/// Shows the selection of the state, and the colours of the page.
export function showBand() {
  showSelection();
  draw();
}

/// A button that plays a film, and stops it. While one is played, the others are disabled.
function filmButton(text, name, play) {
  const own = button(text);
  own.className = name;
  own.addEventListener('click', async () => {
    const isRunning = own.getAttribute('aria-pressed') === 'true';
    if (!isRunning) setFilm(own, true);
    try {
      await play(own, { showPlayhead, recorded, say });
    } catch {
      setNotice('film', NOT_LOADED);
    }
    if (isRunning) return;
    setFilm(own, false);
    own.textContent = text;
  });
  return own;
}

function setFilm(own, isRunning) {
  if (isRunning) actions.pause();
  for (const other of head.querySelectorAll('button')) if (other !== own) other.disabled = isRunning;
  own.setAttribute('aria-pressed', String(isRunning));
  if (!isRunning) showSelection();
}

/// Shows a text instead of the period.
function say(...parts) {
  label.replaceChildren(...parts);
}

/// Makes the band. `given.follow` shows another period while the pointer is held, `given.changed` when it is released.
export function startBand(given) {
  actions = given;
  const films = [
    filmButton('▶ Whole life in 30 s', 'life', async (...given) => (await import('./life.js')).playLife(...given)),
    filmButton('All together', 'together', async (...given) => (await import('./together.js')).playTogether(...given)),
    filmButton('Save as video', 'save', async (...given) => (await import('./life.js')).saveLife(...given)),
  ];
  canvas.setAttribute('aria-hidden', 'true');
  course.append(canvas, chosen, ends.from, ends.to);
  ago.addEventListener('click', selectAgo);
  head.append(label, ago, ...films);
  body.append(head, course);
  listen();
  NARROW.addEventListener('change', place);
  place();
}
