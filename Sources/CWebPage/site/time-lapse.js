import { setNotice } from './document.js';
import { heatTemplate } from './heat.js';
import { showMoment } from './map.js';
import { dateText, today, utcDay } from './days.js';
import { percentText } from './text.js';
import { makeSchedule } from './time-lapse-schedule.js';
import { drawPicture, saveBlob } from './tools.js';

/// How long the time lapse is, and how many pictures a video of it has per second.
const LENGTH_MS = 30_000, FRAME_RATE = 25;
/// The last picture is shown for this time.
const STILL_MS = 1500;
const BITS_PER_SECOND = 6_000_000;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

let running = null;

/// Shows how the heat grows from the first day to the last. Calls `shown` with each instant, and with the share of the
/// length that has passed. Returns `done`, a promise of whether the end was reached, and `stop()`.
function grow(days, milliseconds, shown) {
  const instantAt = makeSchedule(days), began = performance.now();
  let isStopped = false;
  const done = (async () => {
    for (;;) {
      const share = Math.min(1, (performance.now() - began) / milliseconds), instant = instantAt(share);
      shown(instant, share);
      // The next picture is requested when this one is complete, and the screen has shown it.
      await Promise.all([showMoment(heatTemplate(instant)), new Promise(requestAnimationFrame)]);
      if (isStopped) return false;
      if (share === 1) return true;
    }
  })();
  return { done, stop() { isStopped = true; } };
}

/// Waits until the end of the time lapse has been shown for a while; resolves with whether the end was reached.
async function finish() {
  const isComplete = await running.done;
  if (isComplete) await new Promise((wait) => setTimeout(wait, STILL_MS));
  return isComplete;
}

/// Shows the regular map again.
function end(timeline) {
  running = null;
  timeline.showPlayhead(null);
  showMoment('');
}

/// Plays the time lapse of all days; called again, it stops. `own` is the button.
export async function playTimeLapse(own, timeline) {
  const days = timeline.recorded()?.days;
  if (running || !days) {
    running?.stop();
    return;
  }
  own.textContent = '■ Stop';
  running = grow(days, LENGTH_MS, (instant) => timeline.showPlayhead(instant));
  await finish();
  end(timeline);
}

/// Saves the time lapse of all days as a video; called again, it stops without one. `own` is the button.
export async function saveTimeLapse(own, timeline) {
  const days = timeline.recorded()?.days;
  if (running || !days) {
    running?.stop();
    return;
  }
  const type = globalThis.MediaRecorder && TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  setNotice('timeline', type ? '' : 'This browser cannot record videos.');
  if (!type) return;
  const blob = await record(days, LENGTH_MS, type, (instant, share) => {
    timeline.showPlayhead(instant);
    own.textContent = `Cancel (${percentText(share).trim()})`;
  });
  end(timeline);
  if (blob) saveBlob(blob, `tileserve-${today()}.webm`);
}

/// Records the time lapse of some days in so many milliseconds; null if it was stopped.
export async function record(days, milliseconds, type, shown) {
  const canvas = drawPicture(), stream = canvas.captureStream(FRAME_RATE), parts = [];
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => { recorder.onstop = done; });
  let now = 0, isOver = false;
  const paint = () => {
    if (isOver) return;
    drawPicture(canvas, now ? dateText(utcDay(now)) : '');
    requestAnimationFrame(paint);
  };
  recorder.start(1000);
  paint();
  running = grow(days, milliseconds, (instant, share) => {
    now = instant;
    shown(instant, share);
  });
  const isComplete = await finish();
  isOver = true;
  recorder.stop();
  await stopped;
  for (const track of stream.getTracks()) track.stop();
  running = null;
  return isComplete ? new Blob(parts, { type: 'video/webm' }) : null;
}
