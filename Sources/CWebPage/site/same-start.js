import { parameters, state } from './state.js';
import { element, setNotice, swatch } from './document.js';
import { follow } from './stream.js';
import { leafletMap } from './map.js';
import { makeMapCanvas } from './map-canvas.js';
import { worldPoint } from './mercator.js';
import { activityColors, colorNames, colorOfTrack, loadActivities, trailColor } from './trail-colors.js';
import { durationText, number } from './text.js';

/// How long it plays, and how long the end is shown.
const LENGTH_MS = 20_000, STILL_MS = 2000;
/// The points that are kept of a track are at least this time apart, and loading ends after this number of points.
const STEP_MS = 4000, MAX_POINTS = 400_000;
/// The number of points is shown again after so many.
const SHOWN_STEP = 500;
/// It ends when this share of the tracks has ended, and lasts at least this time of the tracks.
const MOST_TRACKS = 0.95, LEAST_MS = 60_000;
/// A trail shows this share of the whole time.
const TRAIL = 0.05;
const MARKER_PIXELS = 4, ENDED_PIXELS = 2, ENDED_OPACITY = 0.35;

let running = null;

/// Plays the tracks of the period as if all had begun at the same second; called again, it stops. `own` is the button.
export async function playFromSameStart(own, timeline) {
  if (running) {
    running.stop();
    return;
  }
  own.textContent = '■ Stop';
  setNotice('timeline', '');
  const playback = { isStopped: false, stop() { this.isStopped = true; } };
  running = playback;
  try {
    const query = parameters(['layer'], period(timeline));
    const [tracks, activities] = await Promise.all([load(playback, timeline, query), loadActivities(query)]);
    if (!playback.isStopped && tracks.length > 0) await play(playback, timeline, tracks, activities);
  } catch (error) {
    setNotice('timeline', error.message);
  }
  running = null;
}

const period = (timeline) => ({ from: state.from || timeline.recorded().first, to: state.to || timeline.recorded().last });

/// The tracks that `query` chooses: [{id, times, xs, ys}], with times since their beginning, in milliseconds, and places
/// in the square of the world.
function load(playback, timeline, query) {
  return new Promise((done, failed) => {
    const tracks = new Map();
    let base = 0, count = 0, stream = null;
    const finish = () => {
      stream.close();
      done([...tracks.values()]);
    };
    playback.stop = () => {
      playback.isStopped = true;
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
        if (count % SHOWN_STEP === 0) timeline.showText(`Loading ${number.format(count)} points…`);
        if (count >= MAX_POINTS) finish();
      },
      reset() {
        tracks.clear();
      },
      end: finish,
    };
    stream = follow('v1/replay', { ...query, speed: 'max' }, Object.keys(handlers), {
      event: (kind, value) => handlers[kind](value), lost() {}, back() {}, refused: failed, over: finish,
    });
  });
}

/// The time that most tracks last at most.
function commonDuration(tracks) {
  const durations = tracks.map(({ times }) => times.at(-1)).sort((one, other) => one - other);
  return Math.max(LEAST_MS, durations[Math.floor((durations.length - 1) * MOST_TRACKS)]);
}

async function play(playback, timeline, tracks, activities) {
  const map = leafletMap(), layer = makeMapCanvas(map, 'same-start', 460);
  const colors = activityColors(tracks.map(({ id }) => id), activities), duration = commonDuration(tracks);
  const colorOf = ({ id }) => trailColor(colorOfTrack(id, activities, colors));
  playback.stop = () => { playback.isStopped = true; };
  const legend = colorNames(colors).map(([name, color]) => element('span', 'device', swatch(color), name));
  const clock = element('b'), began = performance.now();
  timeline.showText(clock, ...legend);
  for (;;) {
    const passed = performance.now() - began, time = Math.min(1, passed / LENGTH_MS) * duration;
    clock.textContent = durationText(time);
    draw(map, layer, tracks, { time, trail: duration * TRAIL, colorOf });
    await new Promise(requestAnimationFrame);
    if (playback.isStopped || passed > LENGTH_MS + STILL_MS) break;
  }
  layer.canvas.remove();
}

function draw(map, layer, tracks, { time, trail, colorOf }) {
  const size = layer.clear(), { context } = layer;
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
    context.globalAlpha = isOver ? ENDED_OPACITY : 1;
    context.beginPath();
    for (let k = track.next; k >= 0 && times[k] >= time - trail; k--) {
      // A trail ends at 180°.
      if (k < track.next && Math.round(xs[k + 1] - xs[k]) !== 0) break;
      context.lineTo(xs[k] * scale + copy, ys[k] * scale - origin.y);
    }
    context.stroke();
    context.beginPath();
    const [x, y] = [xs[track.next] * scale + copy, ys[track.next] * scale - origin.y];
    context.arc(x, y, isOver ? ENDED_PIXELS : MARKER_PIXELS, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}
