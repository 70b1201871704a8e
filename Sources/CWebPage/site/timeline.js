import { known, state } from './state.js';
import { button, byId, clearCanvas, cssColor, element, setNotice } from './document.js';
import { forgetDays, recordedYears } from './calendar.js';
import { dateText, daysText, today, utcDay } from './days.js';
import { counted, distanceText } from './text.js';
import { get } from './server.js';
import { NOT_LOADED } from './loading.js';
import { showBox } from './map.js';
import { union } from './boxes.js';
import { makeFold } from './timeline-fold.js';
import { dayAt, makeTimeline, shareOf, windowAfter, yearsAgo } from './timeline-scale.js';

/// The width of one bar, in pixels.
const BAR_PIXELS = 3;
/// The height of the labels below the bars, in pixels; without labels if the timeline is less high.
const LABEL_PIXELS = 14, LABELLED_PIXELS = 40;
/// A movement of the pointer below this is a click.
const CLICK_PIXELS = 4;
/// While the pointer is held, the map shows a new period at most once in this time.
const FOLLOW_MS = 120;
/// How far an arrow key moves an end of the selection, as a share of the timeline; with the shift key, the second.
const KEY_STEP = 0.005, LONG_KEY_STEP = 0.05;

const body = byId('timeline');
const canvas = element('canvas'), chart = element('div', 'plot'), label = element('p', 'when');
const selection = element('div', 'selection'), head = element('div', 'head');
const ago = button('');
const ends = { from: makeHandle('from', 'First day'), to: makeHandle('to', 'Last day') };
let timeline = null, actions = {}, held = null, following = 0, playhead = null;

function makeHandle(end, name) {
  const handle = element('span', 'handle');
  handle.dataset.end = end;
  handle.tabIndex = 0;
  handle.setAttribute('role', 'slider');
  handle.setAttribute('aria-label', name);
  return handle;
}

/// The selected days; the first and the last one of the timeline if nothing is selected.
const selected = () => [state.from || timeline.first, state.to || timeline.last];

function showSelection() {
  if (!timeline) return;
  const [from, to] = selected(), isAll = !state.from && !state.to;
  const [left, right] = [shareOf(timeline, from), shareOf(timeline, to, true)];
  selection.style.left = left * 100 + '%';
  selection.style.width = Math.max(0, right - left) * 100 + '%';
  selection.hidden = isAll;
  for (const [end, share, day] of [['from', left, from], ['to', right, to]]) {
    ends[end].style.left = share * 100 + '%';
    ends[end].setAttribute('aria-valuenow', Math.round(share * 1000));
    ends[end].setAttribute('aria-valuemin', 0);
    ends[end].setAttribute('aria-valuemax', 1000);
    ends[end].setAttribute('aria-valuetext', dateText(day));
  }
  showText(isAll ? 'All time' : daysText(from, to));
}

function draw() {
  const drawing = timeline && clearCanvas(canvas);
  if (!drawing) return;
  const { context, width, height } = drawing, isLabelled = height >= LABELLED_PIXELS;
  const room = isLabelled ? height - LABEL_PIXELS : height - 1;
  const bars = timeline.bars(Math.floor(width / BAR_PIXELS));
  context.fillStyle = cssColor('--accent');
  bars.forEach((share, bar) => {
    // The root, so that days with few points can still be seen beside those with many.
    const tall = share > 0 ? Math.max(2, Math.sqrt(share) * room) : 0;
    context.fillRect(bar * width / bars.length, room - tall, width / bars.length - 1, tall);
  });
  context.fillStyle = cssColor('--faint');
  context.fillRect(0, room, width, 1);
  context.font = '11px system-ui, sans-serif';
  let free = 0;
  for (const { share, text } of isLabelled ? timeline.ticks : []) {
    const x = share * width, wide = context.measureText(text).width;
    context.fillRect(x, room, 1, 4);
    if (x < free || x + wide > width) continue;
    context.fillText(text, x + 3, height - 2);
    free = x + wide + 12;
  }
  if (playhead !== null) {
    context.fillStyle = cssColor('--ink');
    context.fillRect(playhead * width - 1, 0, 2, room);
  }
}

// Selecting

function select([from, to], isFinal) {
  state.from = from === timeline.first ? '' : from;
  state.to = to === timeline.last ? '' : to;
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
  const { left, width } = chart.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
};

function listen() {
  chart.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !timeline) return;
    event.preventDefault();
    chart.setPointerCapture(event.pointerId);
    const end = event.target.dataset?.end, isMove = !end && event.target === selection;
    const kind = end ?? (isMove ? 'move' : 'new');
    held = { kind, share: shareAt(event), x: event.clientX, before: selected(), moved: false };
    if (end) event.target.focus();
  });
  chart.addEventListener('pointermove', (event) => {
    if (!held) {
      showDay(dayAt(timeline, shareAt(event)));
      return;
    }
    held.moved ||= Math.abs(event.clientX - held.x) >= CLICK_PIXELS;
    if (held.moved) select(windowAfter(timeline, held, shareAt(event)), false);
  });
  chart.addEventListener('pointerup', (event) => {
    if (!held) return;
    if (held.moved) select(windowAfter(timeline, held, shareAt(event)), true);
    // A click beside the selection removes it.
    else if (held.kind === 'new' && (state.from || state.to)) select([timeline.first, timeline.last], true);
    held = null;
  });
  chart.addEventListener('pointercancel', () => {
    if (held?.moved) select(held.before, true);
    held = null;
  });
  chart.addEventListener('pointerleave', showSelection);
  chart.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key], { end } = event.target.dataset;
    if (!end || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const before = selected(), width = event.shiftKey ? LONG_KEY_STEP : KEY_STEP;
    const share = shareOf(timeline, before[end === 'from' ? 0 : 1]) + step * width;
    select(windowAfter(timeline, { kind: end, before, share }, Math.min(1, Math.max(0, share))), true);
  });
  new ResizeObserver(draw).observe(canvas);
}

function showDay(day) {
  if (!timeline) return;
  const found = timeline.byDay.get(day);
  const facts = found ? ': ' + counted(found.tracks, 'track') + ', ' + distanceText(found.metres) : '';
  showText(dateText(day) + facts);
}

// The same day of an earlier year

function showAgo() {
  const found = timeline && yearsAgo(timeline, today());
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

// Playing

/// Shows how far a time lapse has come: an instant in milliseconds; null when it is over.
function showPlayhead(instant) {
  playhead = instant === null ? null : shareOf(timeline, utcDay(instant));
  if (instant === null) showSelection();
  else showText(dateText(utcDay(instant)));
  draw();
}

/// Shows texts or elements instead of the period.
function showText(...parts) {
  label.replaceChildren(...parts);
}

/// A button that plays something over the map, and stops it. Meanwhile, the others are disabled.
function playButton(text, name, title, play) {
  const own = button(text);
  own.className = name;
  own.title = title;
  own.addEventListener('click', async () => {
    const isPlaying = own.getAttribute('aria-pressed') === 'true';
    if (!isPlaying) setPlaying(own, true);
    try {
      await play(own, { showPlayhead, recorded, showText });
    } catch {
      setNotice('timeline', NOT_LOADED);
    }
    if (isPlaying) return;
    setPlaying(own, false);
    own.textContent = text;
  });
  return own;
}

function setPlaying(own, isPlaying) {
  if (isPlaying) actions.pause();
  for (const other of head.querySelectorAll('button')) if (other !== own) other.disabled = isPlaying;
  own.setAttribute('aria-pressed', String(isPlaying));
  if (!isPlaying) showSelection();
}

/// The scale of the timeline, with its days; null if there are none.
export const recorded = () => timeline;

/// Loads the days again, and shows them.
export async function renewTimeline() {
  forgetDays();
  const years = await recordedYears();
  timeline = makeTimeline(years.flatMap(({ days }) => days));
  body.hidden = !timeline;
  showAgo();
  showTimeline();
}

/// Shows the selection of the state, in the colours of the page.
export function showTimeline() {
  showSelection();
  draw();
}

/// Makes the timeline. It calls `given.follow` while the reader drags a period, `given.changed` when a period has been
/// chosen, and `given.pause` before it plays something.
export function startTimeline(given) {
  actions = given;
  const buttons = [
    playButton('▶ Whole life in 30 s', 'time-lapse', 'Shows how the heat grows from the first day to the last',
      async (...values) => (await import('./time-lapse.js')).playTimeLapse(...values)),
    playButton('All from one start', 'same-start', 'Plays the tracks of this period as if all had begun at the same second',
      async (...values) => (await import('./same-start.js')).playFromSameStart(...values)),
    playButton('Save as video', 'save', 'Saves the whole life in 30 s as a video',
      async (...values) => (await import('./time-lapse.js')).saveTimeLapse(...values)),
  ];
  canvas.setAttribute('aria-hidden', 'true');
  chart.append(canvas, selection, ends.from, ends.to);
  ago.addEventListener('click', selectAgo);
  head.append(label, ago, ...buttons, makeFold(body));
  body.append(head, chart);
  listen();
}
