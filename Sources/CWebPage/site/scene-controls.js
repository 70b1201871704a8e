import { button, element, swatch } from './document.js';
import { known } from './state.js';
import { trackTitle } from './selected-track.js';
import { directionText } from './scene-projection.js';
import { trackColor } from './scene-palette.js';
import { heights, rangeText, sliderOf, stretchOf, stretchText } from './scene-text.js';
import { input, labelled, statusLine } from './panel-elements.js';

const KEYS = 'Drag to turn and tilt; the wheel or two fingers zoom and tilt. Keys: arrows turn and tilt, with Shift they move; '
  + '+ and − zoom, Home shows everything again.';

function slider(name, { min, max, step }) {
  const control = input('range', { min, max, step }), text = element('output');
  return { control, text, row: labelled(element('span', '', name, text), control) };
}

/// The controls of a 3-D view, in an element `box`; `act` is called when the reader changes something.
export function makeSceneControls(act) {
  const status = statusLine(), range = element('p', 'quiet'), keys = element('p', 'quiet', KEYS), title = element('h2', '', '3-D view');
  keys.id = 'scene-keys';
  const close = button('Close');
  const radios = Object.entries(heights).map(([value, { name }]) => {
    const radio = input('radio', { name: 'scene-height', value });
    radio.addEventListener('change', () => act.chooseHeight(value));
    return [radio, element('label', '', radio, element('span', '', name))];
  });
  const choices = element('fieldset', '', element('legend', '', 'Height'), element('div', 'segments', ...radios.map(([, row]) => row)));
  const stretch = slider('Stretch', { min: -1, max: 1, step: 0.01 });
  const azimuth = slider('Direction', { min: 0, max: 359, step: 1 }), tilt = slider('Tilt', { min: 10, max: 90, step: 1 });
  const place = slider('Place along the track', { min: 0, max: 1, step: 1 });
  const common = input('checkbox'), commonRow = element('label', 'check', common, 'Common start');
  const list = element('ul', 'key'), save = Object.assign(element('a', 'button', 'Save picture'), { download: 'scene.png' });
  const turntable = button('Turn slowly'), home = button('Reset view');
  const box = element('div', '', element('header', '', title, close), status, choices, range, commonRow, list, place.row,
    element('details', 'view', element('summary', '', 'View'), azimuth.row, tilt.row, stretch.row, keys),
    element('div', 'halves', turntable, home), save);
  box.id = 'scene-panel';
  box.querySelector('details').open = !matchMedia('(max-width: 560px)').matches;
  let usual = 1;

  close.addEventListener('click', act.close);
  turntable.addEventListener('click', act.turntable);
  home.addEventListener('click', act.home);
  common.addEventListener('change', () => act.common(common.checked));
  stretch.control.addEventListener('input', () => act.stretch(stretchOf(usual, Number(stretch.control.value))));
  azimuth.control.addEventListener('input', () => act.view({ azimuth: Number(azimuth.control.value) }));
  tilt.control.addEventListener('input', () => act.view({ tilt: Number(tilt.control.value) }));
  for (const kind of ['input', 'focus']) place.control.addEventListener(kind, () => act.place(Number(place.control.value)));
  place.control.addEventListener('blur', () => act.place(-1));

  const set = ({ control, text }, value, words) => {
    control.value = value;
    text.textContent = words;
    control.setAttribute('aria-valuetext', words);
  };

  return {
    box, slider: place.control,
    status(text) {
      status.textContent = text;
    },
    /// Shows a view.
    show({ view, height, stretch: high, usual: middle, range: values, isCommon, tracks, isTurning, count, picture }) {
      usual = middle;
      for (const [radio] of radios) radio.checked = radio.value === height;
      set(stretch, sliderOf(middle, high), stretchText(height, high));
      set(azimuth, Math.round(view.azimuth) % 360, `${directionText(view.azimuth)}, ${Math.round(view.azimuth) % 360}°`);
      set(tilt, Math.round(view.tilt), view.tilt === 90 ? 'from above' : Math.round(view.tilt) + '°');
      range.textContent = rangeText(height, values);
      common.checked = isCommon;
      commonRow.hidden = list.hidden = tracks.length < 2;
      commonRow.title = 'Counts the time of each track from its own beginning';
      place.control.max = String(Math.max(0, count - 1));
      turntable.textContent = isTurning ? 'Stop' : 'Turn slowly';
      turntable.setAttribute('aria-pressed', String(isTurning));
      save.href = picture;
      if (list.hidden) return;
      list.replaceChildren(...tracks.map((track, index) =>
        element('li', '', swatch(trackColor(index, known.theme)), element('span', '', trackTitle(track)))));
    },
    /// Shows the corner of the plumb line, and its value as text.
    point(index, text) {
      if (index >= 0) place.control.value = String(index);
      place.text.textContent = text;
      place.control.setAttribute('aria-valuetext', text || 'nothing is shown');
    },
  };
}
