import { parameters, state } from './state.js';
import { element, setNotice } from './document.js';
import { get } from './server.js';
import { follow } from './stream.js';
import { leafletMap } from './map.js';
import { worldPoint } from './mercator.js';
import { durationText } from './text.js';

/// How long it plays, and how long the end is shown.
const FILM_MS = 20_000, STILL_MS = 2000;
/// Points that are kept of a track are so far apart at least; with more points than this, the others are left out.
const STEP_MS = 4000, MAX_POINTS = 400_000;
/// Longer tracks are shown until this time only, if most are shorter.
const MOST_TRACKS = 0.95, MAX_TRACKS = 1000;
/// The part of the whole time that a tail shows.
const TAIL = 0.05;
const MARKER_PIXELS = 4;
const COLORS = { light: ['#0067d9', '#c2410c', '#0f7a4d', '#8a2be2', '#9a6700', '#be185d', '#4b5563'],
  dark: ['#5cc8ff', '#ffb454', '#5ee6a8', '#d5a6ff', '#f4e04d', '#ff8fc0', '#d4d4d8'] };

let running = null;

/// Plays all tracks of the period as if all had begun at the same second; called again, it stops.
export async function playTogether(own, band) {
  if (running) {
    running.stop();
    return;
  }
  own.textContent = '■ Stop';
  setNotice('film', '');
  const film = { isStopped: false, stop() { this.isStopped = true; } };
  running = film;
  try {
    const [tracks, activities] = await Promise.all([load(film, band), loadActivities(band)]);
    if (!film.isStopped && tracks.length > 0) await play(film, band, tracks, activities);
  } catch (error) {
    setNotice('film', error.message);
  }
  running = null;
}

const period = (band) => ({ from: state.from || band.recorded().first, to: state.to || band.recorded().last });

async function loadActivities(band) {
  const { tracks } = await get('v1/tracks', parameters(['layer'], { ...period(band), limit: MAX_TRACKS }));
  return new Map(tracks.map(({ id, activity }) => [id, activity]));
}

/// The tracks of the period: [{id, times, xs, ys}], times since the beginning of each, places in the world square.
function load(film, band) {
  return new Promise((done, failed) => {
    const tracks = new Map();
    let base = 0, count = 0, stream = null;
    const finish = () => {
      stream.close();
      done([...tracks.values()]);
    };
    film.stop = () => {
      film.isStopped = true;
      finish();
    };
    const handlers = {
      start(value) {
        base = value.t0;
      },
      frame({ track: id, p, dt }) {
        const time = base + dt;
        if (!tracks.has(id)) tracks.set(id, { id, began: time, times: [], xs: [], ys: [] });
        const track = tracks.get(id), own = time - track.began;
        if (track.times.length > 0 && own - track.times.at(-1) < STEP_MS) return;
        const [x, y] = worldPoint(p);
        track.times.push(own);
        track.xs.push(x);
        track.ys.push(y);
        count += 1;
        if (count % 500 === 0) band.say(`Loading ${count.toLocaleString()} points…`);
        if (count >= MAX_POINTS) finish();
      },
      reset() {
        tracks.clear();
      },
      end: finish,
    };
    stream = follow('v1/replay', parameters(['layer'], { ...period(band), speed: 'max' }), Object.keys(handlers), {
      event: (kind, value) => handlers[kind](value), lost() {}, back() {}, refused: failed, over: finish,
    });
  });
}

/// The time that most of the tracks last at most.
export function commonDuration(tracks) {
  const durations = tracks.map(({ times }) => times.at(-1)).sort((one, other) => one - other);
  return Math.max(60_000, durations[Math.floor((durations.length - 1) * MOST_TRACKS)]);
}

/// The colours of activities, the most frequent ones first; the last colour is for all others.
export function colorsOf(tracks, activities, palette) {
  const counts = new Map();
  for (const { id } of tracks) counts.set(activities.get(id) ?? '', (counts.get(activities.get(id) ?? '') ?? 0) + 1);
  const named = [...counts].filter(([name]) => name).sort((one, other) => other[1] - one[1]).map(([name]) => name);
  return new Map(named.slice(0, palette.length - 1).map((name, index) => [name, palette[index]]));
}

async function play(film, band, tracks, activities) {
  const map = leafletMap(), canvas = element('canvas'), context = canvas.getContext('2d');
  canvas.setAttribute('aria-hidden', 'true');
  const pane = map.getPane('together') ?? map.createPane('together');
  Object.assign(pane.style, { zIndex: 460, pointerEvents: 'none' });
  pane.append(canvas);
  const palette = COLORS[document.documentElement.dataset.background === 'dark' ? 'dark' : 'light'];
  const colors = colorsOf(tracks, activities, palette), duration = commonDuration(tracks);
  const colorOf = ({ id }) => colors.get(activities.get(id)) ?? palette.at(-1);
  film.stop = () => { film.isStopped = true; };
  const legend = [...colors].map(([name, color]) => {
    const dot = element('i');
    dot.style.background = color;
    return element('span', 'device', dot, name);
  });
  const clock = element('b'), began = performance.now();
  band.say(clock, ...legend);
  for (;;) {
    const passed = performance.now() - began, time = Math.min(1, passed / FILM_MS) * duration;
    clock.textContent = durationText(time);
    draw(map, canvas, context, tracks, time, duration * TAIL, colorOf);
    await new Promise(requestAnimationFrame);
    if (film.isStopped || passed > FILM_MS + STILL_MS) break;
  }
  canvas.remove();
}

function draw(map, canvas, context, tracks, time, tail, colorOf) {
  const size = map.getSize(), ratio = devicePixelRatio || 1;
  const [width, height] = [size.x * ratio, size.y * ratio].map(Math.round);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  Object.assign(canvas.style, { width: size.x + 'px', height: size.y + 'px' });
  L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.x, size.y);
  Object.assign(context, { lineWidth: 2, lineJoin: 'round' });
  const scale = 256 * 2 ** map.getZoom(), origin = map.getPixelBounds().min, middle = origin.x + size.x / 2;
  for (const track of tracks) {
    const { times, xs, ys } = track;
    // The copy of the world that is in view.
    const copy = Math.round(middle / scale - xs[0]) * scale - origin.x;
    track.next ??= 0;
    while (track.next < times.length - 1 && times[track.next + 1] <= time) track.next += 1;
    const isOver = track.next === times.length - 1;
    context.fillStyle = context.strokeStyle = colorOf(track);
    context.globalAlpha = isOver ? 0.35 : 1;
    context.beginPath();
    for (let k = track.next; k >= 0 && times[k] >= time - tail; k--) {
      const jump = k < track.next ? Math.round(xs[k + 1] - xs[k]) : 0;
      // A tail ends at 180°.
      if (jump) break;
      context.lineTo(xs[k] * scale + copy, ys[k] * scale - origin.y);
    }
    context.stroke();
    context.beginPath();
    context.arc(xs[track.next] * scale + copy, ys[track.next] * scale - origin.y, isOver ? 2 : MARKER_PIXELS, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}
