import { currentStyle, legendParameters, parameters, state } from './state.js';
import { byId, element, swatch } from './document.js';
import { address, get } from './server.js';
import { halfTexts, legendParts, legendTitle, rampFits, rowLabels } from './legend.js';

/// The greatest zoom level with counts of its own.
const MAX_COUNTED_ZOOM = 16;

let shown = null;

/// Makes the next `showLegend` request the legend again.
export function forgetLegend() {
  shown = null;
}

/// Shows the legend of a zoom level.
export async function showLegend(zoom) {
  // The colours of areas are explained where they are switched on.
  if (currentStyle().kind === 'areas') {
    shown = null;
    byId('legend').hidden = true;
    return;
  }
  const path = 'legend/' + encodeURIComponent(state.style) + '.json';
  const query = parameters(legendParameters, { z: Math.min(zoom, MAX_COUNTED_ZOOM) });
  const wanted = address(path, query);
  if (wanted === shown) return;
  shown = wanted;
  try {
    const legend = await get(path, query);
    if (wanted !== shown) return;
    const { row, list, isCounted } = legendParts(legend);
    showRow(row, isCounted ? 'days' : legend.unit || '');
    showHalves(isCounted && state.minus ? row : []);
    showList(list);
    byId('legend-title').textContent = legendTitle(legend, isCounted, state.minus);
    // A single colour needs no legend.
    byId('legend').hidden = legend.entries.length < 2;
  } catch {
    if (wanted === shown) shown = null;
    byId('legend').hidden = true;
  }
}

/// Shows colours side by side.
function showRow(row, unit) {
  byId('ramp').hidden = byId('counts').hidden = row.length === 0;
  if (row.length === 0) return;
  byId('ramp').replaceChildren(...row.map(({ color, text }) => swatch(color, text)));
  byId('ramp').setAttribute('aria-label', 'From ' + row[0].text + ' to ' + row.at(-1).text + ' ' + unit);
  byId('counts').replaceChildren(...rowLabels(row).map((text) => element('span', '', text)));
}

/// Shows which half of a row of colours is that of which period.
function showHalves(row) {
  byId('legend-halves').hidden = row.length === 0;
  if (row.length === 0) return;
  const colors = [row[0].color, row.at(-1).color];
  byId('legend-halves').replaceChildren(...halfTexts(state.minus, state).map((text, half) =>
    element('li', '', swatch(colors[half]), element('span', '', text))));
}

/// Shows colours with their text, one below the other.
function showList(list) {
  byId('colors').hidden = list.length === 0;
  byId('colors').replaceChildren(...list.map(({ color, text }) => element('li', '', swatch(color), text)));
}

// Ramps

const headings = {
  any: 'For any background', dark: 'For dark backgrounds', light: 'For light backgrounds', differences: '',
};
let ramps = [];

/// Loads the ramps that the server offers.
export async function loadRamps() {
  ramps = await get('ramps');
}

/// Resets what the current style cannot show: lines have no differences, and some styles have no ramp.
export function checkColors() {
  const style = currentStyle();
  if (style.kind !== 'heat') state.minus = state.span = '';
  if (!style.takesRamp) state.ramp = '';
  const selected = ramps.find(({ name }) => name === state.ramp);
  if (selected && !rampFits(selected, state.minus)) state.ramp = '';
}

/// Shows the ramps that fit the state; `changed` is called when another one is selected.
export function showRamps(changed) {
  const parts = [choice('', 'Default colours', null, changed)];
  for (const [background, heading] of Object.entries(headings)) {
    const some = ramps.filter((ramp) => ramp.for === background && rampFits(ramp, state.minus));
    if (some.length === 0) continue;
    if (heading) parts.push(element('p', '', heading));
    parts.push(...some.map((ramp) => choice(ramp.name, ramp.name, ramp.colors, changed)));
  }
  const focused = document.activeElement && document.activeElement.name === 'ramp';
  byId('ramps').replaceChildren(...parts);
  if (focused) byId('ramps').querySelector(':checked')?.focus();
}

function choice(name, text, colors, changed) {
  const radio = element('input');
  Object.assign(radio, { type: 'radio', name: 'ramp', value: name, checked: state.ramp === name });
  radio.addEventListener('change', () => {
    state.ramp = name;
    changed();
  });
  const bar = element('i');
  if (colors) bar.style.background = 'linear-gradient(to right, ' + colors.join(', ') + ')';
  return element('label', colors ? 'ramp' : 'ramp default', radio, bar, element('span', '', text));
}
