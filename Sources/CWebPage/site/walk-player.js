import { button, element } from './document.js';
import { input, select } from './panel-elements.js';
import { legStart, momentAt, walkSeconds } from './walk.js';

/// Seconds of the way in one second of playing.
const SPEEDS = [['1', 'Real time'], ['5', '5 ×'], ['10', '10 ×'], ['20', '20 ×'], ['60', '60 ×']], USUAL_SPEED = '10';

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/// The controls that play the walk along a way. `moved(moment, isPlaying)` is called with where the walker is, `textOf`
/// gives the words for a leg.
export function makeWalkPlayer({ moved, textOf }) {
  const play = button('Play the walk'), slider = input('range', { min: 0, step: 1 }), speed = select(SPEEDS, USUAL_SPEED);
  const time = element('span', 'quiet'), words = element('p', 'now');
  slider.setAttribute('aria-label', 'Time on the way');
  speed.setAttribute('aria-label', 'Speed');
  play.className = 'main';
  const box = element('div', 'walk', play, time, speed, slider, words);
  let legs = [], seconds = 0, whole = 0, before = 0, frame = 0;

  const isPlaying = () => frame !== 0;

  function show() {
    const moment = momentAt(legs, seconds), text = textOf(legs[moment.leg]);
    words.textContent = text;
    slider.value = Math.floor(seconds);
    slider.setAttribute('aria-valuetext', `${clock(seconds)} of ${clock(whole)}, ${text}`);
    time.textContent = `${clock(seconds)} / ${clock(whole)}`;
    moved(moment, isPlaying());
  }

  function step(now) {
    seconds = Math.min(whole, seconds + (now - before) / 1000 * Number(speed.value));
    before = now;
    frame = seconds < whole ? requestAnimationFrame(step) : 0;
    show();
    if (!isPlaying()) play.textContent = 'Play again';
  }

  function pause() {
    cancelAnimationFrame(frame);
    if (isPlaying()) play.textContent = 'Go on';
    frame = 0;
  }

  play.addEventListener('click', () => {
    if (isPlaying()) {
      pause();
      return;
    }
    if (seconds >= whole) seconds = 0;
    play.textContent = 'Pause';
    before = performance.now();
    frame = requestAnimationFrame(step);
  });
  slider.addEventListener('input', () => {
    pause();
    seconds = Number(slider.value);
    show();
  });

  return {
    box, pause,
    /// Takes the legs of a way.
    take(given) {
      pause();
      [legs, seconds, whole] = [given, 0, walkSeconds(given)];
      play.textContent = 'Play the walk';
      words.textContent = '';
      slider.max = Math.ceil(whole);
      slider.value = 0;
      slider.setAttribute('aria-valuetext', `${clock(0)} of ${clock(whole)}`);
      time.textContent = clock(whole);
    },
    /// Goes to the beginning of a leg.
    seek(leg) {
      pause();
      seconds = legStart(legs, leg);
      show();
    },
  };
}
