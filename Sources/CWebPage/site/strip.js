import { known, state } from './state.js';
import { byId, element } from './document.js';
import { get } from './server.js';
import { dayIn, knownZone } from './calendar.js';
import { limits } from './chart.js';
import { pointsOf } from './profile.js';
import { dateLabels, makeProfile, nextTrack } from './strip-data.js';
import { heightText, speedText } from './text.js';

/// The width of one bar of the density, in pixels.
const BAR_PIXELS = 3;
/// Profiles of so many tracks before and after the current one are loaded; longer tracks take too many megabytes.
const REACH = 25, MAX_POINTS = 150_000;
/// A chart shows at least this span, so that noise does not look like mountains.
const MIN_SPAN = { elevation: 20, speed: 1 };
const TEXTS = { elevation: heightText, speed: speedText };

let timeline = null, manifest = null, together = false, profile = null, loaded = new Set(), current = 0, loading = 0;
/// The chart for which profiles were loaded last.
let wanted = '';
let renewTooltip = () => {};

/// What the strip above the slider shows: the density of points if profiles of several tracks would overlap.
const shownChart = () => together ? '' : state.strip;

/// Shows the strip of a manifest.
export function showStrip(ownManifest, ownTimeline, isTogether) {
  [manifest, timeline, together] = [ownManifest, ownTimeline, isTogether];
  profile = makeProfile(timeline);
  loaded = new Set();
  load();
  drawStrip();
}

/// Notes which track is played, to load the profiles around it.
export function showStripTrack(id) {
  if (!shownChart() || !manifest || manifest.tracks[current]?.track === id) return;
  const index = manifest.tracks.findIndex(({ track }) => track === id);
  if (index < 0) return;
  current = index;
  load();
}

/// Loads the profiles around the current track, one after the other.
async function load() {
  const own = loading += 1, of = profile;
  wanted = shownChart();
  current = Math.min(current, Math.max(0, manifest.tracks.length - 1));
  while (own === loading && shownChart()) {
    const index = nextTrack(current, manifest.tracks.length, REACH, (other) =>
      !loaded.has(other) && manifest.tracks[other].start !== null && !(manifest.tracks[other].points > MAX_POINTS));
    if (index < 0) return;
    loaded.add(index);
    const id = encodeURIComponent(manifest.tracks[index].track);
    const line = await get(`v1/tracks/${id}.geojson`, { v: known.revision }).catch(() => null);
    if (of !== profile) return;
    if (line) profile.add(index, pointsOf(line));
    drawStrip();
    renewTooltip();
  }
}

/// The value of the profile at a position of the playing time, with its unit; '' if it is not known.
export function stripText(position) {
  const chart = shownChart(), value = chart && profile ? profile.at(chart, position) : NaN;
  return Number.isFinite(value) ? TEXTS[chart](value) : '';
}

// Drawing

/// Shows the strip as the state has it.
export function renewStrip() {
  if (manifest && wanted !== shownChart()) load();
  drawStrip();
}

/// Draws the strip: density or profile, and the tracks below.
export function drawStrip() {
  const canvas = byId('density'), { width, height } = canvas.getBoundingClientRect();
  byId('strip').value = shownChart();
  byId('strip').disabled = together;
  if (!timeline || width < 1) return;
  const ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name);
  context.fillStyle = context.strokeStyle = color('--accent');
  const range = shownChart() ? drawProfile(context, width, height - 7) : drawDensity(context, width, height - 7);
  byId('strip-range').textContent = range;
  drawTracks(context, width, height, color('--faint'));
  showDates(width);
}

function drawDensity(context, width, room) {
  const count = Math.floor(width / BAR_PIXELS);
  context.globalAlpha = 0.5;
  timeline.bars(count).forEach((share, bar) => {
    const tall = share > 0 ? Math.max(1.5, Math.sqrt(share) * room) : 0;
    context.fillRect(bar * width / count, room - tall, width / count - 1, tall);
  });
  return '';
}

/// Draws the profile, and returns the text of its range.
function drawProfile(context, width, room) {
  const chart = shownChart(), values = profile.values(chart, Math.floor(width));
  const range = limits(values, MIN_SPAN[chart]);
  if (!range) return loaded.size > 0 && chart === 'elevation' ? 'No elevation known' : '';
  const [low, high] = chart === 'speed' ? [0, range[1]] : range;
  const y = (value) => room - 1 - (value - low) / (high - low) * (room - 3);
  context.beginPath();
  values.forEach((value, x) => {
    if (!Number.isFinite(value)) return;
    if (Number.isFinite(values[x - 1])) context.lineTo(x + 0.5, y(value));
    else context.moveTo(x + 0.5, y(value));
  });
  context.lineWidth = 1.5;
  context.globalAlpha = 1;
  context.stroke();
  context.globalAlpha = 0.25;
  values.forEach((value, x) => {
    if (Number.isFinite(value)) context.fillRect(x, y(value), 1, room - y(value));
  });
  return TEXTS[chart](low) + ' – ' + TEXTS[chart](high);
}

/// Draws the tracks in alternating shades, interrupted where a gap is left out.
function drawTracks(context, width, height, color) {
  const at = (position) => position / Math.max(1, timeline.length) * width;
  context.fillStyle = color;
  timeline.stretches.forEach((stretch, index) => {
    const before = timeline.stretches[index - 1];
    const isNew = before && before.track !== stretch.track;
    const from = at(stretch.at) + (before ? 0.75 : 0), to = at(stretch.at + stretch.to - stretch.from);
    context.globalAlpha = !together && stretch.track % 2 ? 0.45 : 0.9;
    context.fillRect(from, height - 5, Math.max(0.5, to - from), 3);
    if (!isNew) return;
    context.globalAlpha = 0.35;
    context.fillRect(at(stretch.at), 0, 1, height - 2);
  });
}

function showDates(width) {
  const write = (instant, hasHours) => new Intl.DateTimeFormat(undefined, {
    ...hasHours ? { timeStyle: 'short' } : { dateStyle: 'medium' }, timeZone: knownZone(),
  }).format(instant);
  byId('strip-dates').replaceChildren(...dateLabels(timeline, width, dayIn, write).map(({ share, text }) => {
    const label = element('span', '', text);
    label.style.left = share * 100 + '%';
    return label;
  }));
}

// Tooltip

/// Shows texts above the place of the strip below the pointer; none if there are none. `renew` is called when more of
/// the profile is known, to show them again.
export function showTooltip(clientX, texts, renew = () => {}) {
  renewTooltip = renew;
  const hint = byId('strip-hint'), box = byId('course').getBoundingClientRect();
  hint.hidden = texts.length === 0;
  if (hint.hidden) return;
  hint.textContent = texts.join(' · ');
  const half = hint.offsetWidth / 2;
  hint.style.left = Math.min(box.width - half, Math.max(half, clientX - box.left)) + 'px';
}
