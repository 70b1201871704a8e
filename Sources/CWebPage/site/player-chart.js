import { known, state } from './state.js';
import { byId, clearCanvas, cssColor, element } from './document.js';
import { get, trackPath } from './server.js';
import { dayIn, zonedFormat } from './calendar.js';
import { limits } from './chart.js';
import { MAX_POINTS, MIN_SPAN, pointsOf } from './profile.js';
import { dateLabels, makeProfile, nextTrack } from './player-chart-data.js';
import { heightText, speedText } from './text.js';

/// The width of one bar of the density, in pixels.
const BAR_PIXELS = 3;
/// The profiles of so many tracks before and after the current one are loaded.
const REACH = 25;
const TEXTS = { elevation: heightText, speed: speedText };
/// The height of the line of tracks below the density or the profile, in pixels.
const TRACKS_PIXELS = 7;

let playingTime = null, manifest = null, together = false, profile = null, loaded = new Set(), current = 0, loading = 0;
/// The chart for which profiles were loaded last.
let wanted = '';
let renewTooltip = () => {};

/// What the chart above the slider shows: `elevation` or `speed`; '' for the density of points. Tracks on one clock
/// have no profile, because several would overlap.
const shownChart = () => together ? '' : state.chart;

/// Shows the chart of a manifest.
export function showChart(ownManifest, ownPlayingTime, isTogether) {
  [manifest, playingTime, together] = [ownManifest, ownPlayingTime, isTogether];
  profile = makeProfile(playingTime);
  loaded = new Set();
  load();
  drawChart();
}

/// Notes which track is played, to load the profiles around it.
export function showChartTrack(id) {
  if (!shownChart() || !manifest || manifest.tracks[current]?.track === id) return;
  const index = manifest.tracks.findIndex(({ track }) => track === id);
  if (index < 0) return;
  current = index;
  load();
}

/// Loads the profiles around the current track, one after the other.
async function load() {
  const own = loading += 1, ownProfile = profile;
  wanted = shownChart();
  current = Math.min(current, Math.max(0, manifest.tracks.length - 1));
  while (own === loading && shownChart()) {
    const index = nextTrack(current, manifest.tracks.length, REACH, (other) =>
      !loaded.has(other) && manifest.tracks[other].start !== null && !(manifest.tracks[other].points > MAX_POINTS));
    if (index < 0) return;
    loaded.add(index);
    const path = trackPath(manifest.tracks[index].track) + '.geojson';
    const line = await get(path, { v: known.revision }).catch(() => null);
    if (ownProfile !== profile) return;
    if (line) profile.add(index, pointsOf(line));
    drawChart();
    renewTooltip();
  }
}

/// The value of the profile at a position of the playing time, with its unit; '' if it is not known.
export function chartText(position) {
  const chart = shownChart(), value = chart && profile ? profile.at(chart, position) : NaN;
  return Number.isFinite(value) ? TEXTS[chart](value) : '';
}

// Drawing

/// Shows the chart that the state names.
export function renewChart() {
  if (manifest && wanted !== shownChart()) load();
  drawChart();
}

/// Draws the density or the profile, with the tracks below.
export function drawChart() {
  byId('chart').value = shownChart();
  byId('chart').disabled = together;
  const drawing = playingTime && clearCanvas(byId('chart-canvas'));
  if (!drawing) return;
  const { context, width, height } = drawing, draw = shownChart() ? drawProfile : drawDensity;
  context.fillStyle = context.strokeStyle = cssColor('--accent');
  byId('chart-range').textContent = draw(context, width, height - TRACKS_PIXELS);
  drawTracks(context, width, height, cssColor('--faint'));
  showDates(width);
}

function drawDensity(context, width, room) {
  const count = Math.floor(width / BAR_PIXELS);
  context.globalAlpha = 0.5;
  playingTime.bars(count).forEach((share, bar) => {
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
  const at = (position) => position / Math.max(1, playingTime.length) * width;
  context.fillStyle = color;
  playingTime.stretches.forEach((stretch, index) => {
    const before = playingTime.stretches[index - 1];
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
  const write = (instant, hasHours) =>
    zonedFormat(hasHours ? { timeStyle: 'short' } : { dateStyle: 'medium' }).format(instant);
  byId('chart-dates').replaceChildren(...dateLabels(playingTime, width, dayIn, write).map(({ share, text }) => {
    const label = element('span', '', text);
    label.style.left = share * 100 + '%';
    return label;
  }));
}

// Tooltip

/// Shows texts above the chart, next to the pointer; none if there are none. `renew` is called when more of the profile
/// is known, to show them again.
export function showTooltip(clientX, texts, renew = () => {}) {
  renewTooltip = renew;
  const hint = byId('chart-tooltip'), box = byId('player-chart').getBoundingClientRect();
  hint.hidden = texts.length === 0;
  if (hint.hidden) return;
  hint.textContent = texts.join(' · ');
  const half = hint.offsetWidth / 2;
  hint.style.left = Math.min(box.width - half, Math.max(half, clientX - box.left)) + 'px';
}
