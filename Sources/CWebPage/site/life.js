import { known, parameters, state } from './state.js';
import { setNotice } from './document.js';
import { address } from './server.js';
import { heatStyle } from './heat.js';
import { showMoment } from './map.js';
import { dateText, today } from './days.js';
import { makeLifeTime } from './life-time.js';
import { drawPicture, saveBlob } from './tools.js';

/// How long the film is, and how many pictures a video of it has per second.
const FILM_MS = 30_000, FRAME_RATE = 25;
/// The last picture is shown for this time.
const STILL_MS = 1500;
const BITS_PER_SECOND = 6_000_000;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

let running = null;

/// Shows the heat of everything until an instant; resolves when it is shown.
function showHeatUntil(instant) {
  return showMoment(address('tiles/' + encodeURIComponent(heatStyle()) + '/{z}/{x}/{y}.png', {
    ...parameters(['layer', 'ramp']), asof: new Date(instant).toISOString(), v: known.revision,
  }));
}

/// Lets the heat grow from the first day to the last. `shown` is called with each instant and the share that has passed.
/// Returns a promise of whether it came to its end, and a function that stops it.
function grow(days, milliseconds, shown) {
  const instantAt = makeLifeTime(days), began = performance.now();
  let isStopped = false;
  const done = (async () => {
    for (;;) {
      const share = Math.min(1, (performance.now() - began) / milliseconds), instant = instantAt(share);
      shown(instant, share);
      // The next picture is requested when this one is complete, and the screen has shown it.
      await Promise.all([showHeatUntil(instant), new Promise(requestAnimationFrame)]);
      if (isStopped) return false;
      if (share === 1) return true;
    }
  })();
  return { done, stop() { isStopped = true; } };
}

/// Plays the whole life; called again, it stops.
export async function playLife(own, band) {
  const days = band.recorded()?.days;
  if (running || !days) {
    running?.stop();
    return;
  }
  own.textContent = '■ Stop';
  running = grow(days, FILM_MS, (instant) => band.showPlayhead(instant));
  if (await running.done) await new Promise((wait) => setTimeout(wait, STILL_MS));
  end(band);
}

function end(band) {
  running = null;
  band.showPlayhead(null);
  showMoment('');
}

/// Records the whole life as a video; called again, it cancels that.
export async function saveLife(own, band) {
  const days = band.recorded()?.days;
  if (running || !days) {
    running?.stop();
    return;
  }
  const type = globalThis.MediaRecorder && TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  setNotice('film', type ? '' : 'This browser cannot record videos.');
  if (!type) return;
  const blob = await record(days, FILM_MS, type, (instant, share) => {
    band.showPlayhead(instant);
    own.textContent = `Cancel (${Math.floor(share * 100)} %)`;
  });
  end(band);
  if (blob) saveBlob(blob, `tileserve-${today()}.webm`);
}

/// Records a film of the days in so many milliseconds; null if it was cancelled.
export async function record(days, milliseconds, type, shown) {
  const canvas = drawPicture(), stream = canvas.captureStream(FRAME_RATE), parts = [];
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => { recorder.onstop = done; });
  let now = 0, isOver = false;
  const paint = () => {
    if (isOver) return;
    drawPicture(canvas, now ? dateText(new Date(now).toISOString()) : '');
    requestAnimationFrame(paint);
  };
  recorder.start(1000);
  paint();
  running = grow(days, milliseconds, (instant, share) => {
    now = instant;
    shown(instant, share);
  });
  const isComplete = await running.done;
  if (isComplete) await new Promise((wait) => setTimeout(wait, STILL_MS));
  isOver = true;
  recorder.stop();
  await stopped;
  for (const track of stream.getTracks()) track.stop();
  running = null;
  return isComplete ? new Blob(parts, { type: 'video/webm' }) : null;
}
