import { currentStyle, known, parameters, selectionParameters, state } from './state.js';
import { byId, copyText, element, setNotice } from './document.js';
import { get } from './server.js';
import { comparisons, neighbour, periods } from './days.js';
import { counted, isImperial, percentText, setUnits, unitsOf } from './text.js';
import { showScale } from './map.js';
import { checkColors, showRamps } from './colors.js';

/// What styles draw.
const kinds = { heat: 'Heat', tracks: 'Tracks', points: 'Points', areas: 'Areas visited' };
let changed = () => {}, checks = 0;

/// Shows the styles, grouped by what they draw. Their pictures are drawn when they are seen.
export function showStyles(styles) {
  const groups = new Map();
  for (const style of styles) groups.set(style.kind, [...(groups.get(style.kind) || []), style]);
  const order = [...new Set([...Object.keys(kinds), ...groups.keys()])].filter((kind) => groups.has(kind));
  byId('style').replaceChildren(...order.map((kind) => element('fieldset', '', element('legend', '', kinds[kind] || kind),
    element('div', 'looks', ...groups.get(kind).map(styleChoice)))));
  byId('style-row').hidden = styles.length < 2;
  showStyle();
}

function styleChoice({ name, title }) {
  const radio = Object.assign(element('input'), { type: 'radio', name: 'style', value: name });
  radio.addEventListener('change', () => {
    state.style = name;
    changed();
  });
  return element('label', 'look', radio, element('i'), element('span', '', title || name));
}

/// A name in the URL that the server does not know is not selected; the server's error explains the rest.
function showStyle() {
  for (const radio of document.getElementsByName('style')) radio.checked = radio.value === state.style;
}

/// Shows the layers; true if some of them are not ready.
export function showLayers(layers) {
  const isReady = (layer) => layer.ready !== false;
  fillLayers(layers.map((layer) => {
    const option = new Option(layer.name + (isReady(layer) ? '' : ' (being built)'), layer.name);
    option.title = layer.description || '';
    option.disabled = !isReady(layer) && layer.name !== state.layer;
    return option;
  }));
  const waiting = layers.filter((layer) => !isReady(layer));
  byId('building').replaceChildren(...waiting.map((layer) => {
    const bar = element('progress');
    if (layer.progress !== undefined) bar.value = layer.progress;
    return element('label', '', 'Building layer ' + layer.name + percentText(layer.progress), bar);
  }));
  return waiting.length > 0;
}

function fillLayers(options) {
  const select = byId('layer');
  select.replaceChildren(...options);
  // A name in the URL that the server does not know is shown nevertheless; the server's error explains the rest.
  if (![...select.options].some(({ value }) => value === state.layer)) {
    const gone = new Option(state.layer, state.layer);
    gone.dataset.gone = '1';
    select.add(gone);
  }
  select.value = state.layer;
  byId('layer-row').hidden = select.options.length < 2;
}

/// The comparison of the state: the name of one, `own` for other dates, or '' for none.
function against() {
  if (!state.minus) return '';
  const named = Object.keys(comparisons).find((name) => comparisons[name](state.from, state.to) === state.minus);
  return named || 'own';
}

/// Shows the state in the panel.
export function showState() {
  showStyle();
  for (const name of ['layer', 'from', 'to']) byId(name).value = state[name];
  byId('from').max = state.to;
  byId('to').min = state.from;
  for (const button of byId('quick').children) {
    const [from, to] = periods[button.dataset.period]();
    button.setAttribute('aria-pressed', String(from === state.from && to === state.to));
  }
  byId('steps').hidden = !state.from;
  const mode = byId('against').dataset.own && !state.minus ? 'own' : against();
  for (const option of byId('against').options) {
    option.disabled = option.value in comparisons && !comparisons[option.value](state.from, state.to);
  }
  byId('against').value = mode;
  byId('minus-days').hidden = mode !== 'own';
  [byId('minus-from').value, byId('minus-to').value] = state.minus ? state.minus.split('/') : ['', ''];
  const style = currentStyle();
  byId('comparing').hidden = style.kind !== 'heat';
  byId('coloring').hidden = !style.takesRamp;
  byId('span').closest('label').hidden = style.kind !== 'heat';
  byId('comparing').open ||= mode !== '';
  byId('span').checked = state.span === 'window';
  byId('span').disabled = !state.from && !state.to;
  showRamps(changed);
}

/// Sets the period; a comparison by name moves with it.
function setPeriod(from, to) {
  const mode = against();
  state.from = from;
  state.to = to;
  if (mode in comparisons) state.minus = comparisons[mode](from, to);
  if (!from && !to) state.span = '';
}

/// Shows the URL of the tiles for other programs.
export function showAddress(url, tileJSON) {
  // Without the revision, so that it stays valid when tracks are added.
  byId('address').value = url.replace(/[?&]v=[^&]*/, '');
  byId('tilejson').href = tileJSON;
}

async function copy() {
  const field = byId('address');
  const isCopied = await copyText(field.value);
  field.select();
  setNotice('copy', isCopied ? '' : 'Copy the selected URL with the keyboard.');
  if (!isCopied) return;
  byId('copy').textContent = 'Copied';
  setTimeout(() => { byId('copy').textContent = 'Copy'; }, 1500);
}

/// Lets the reader change the state; `change` is called after each change, `unitsChanged` after one of the units.
export function listenToPanel(change, unitsChanged) {
  changed = () => {
    checkColors();
    showState();
    change();
  };
  listenToChoices();
  listenToComparison();
  byId('copy').addEventListener('click', copy);
  byId('address').addEventListener('focus', () => byId('address').select());
  for (const radio of document.getElementsByName('units')) {
    radio.addEventListener('change', () => {
      state.units = radio.value;
      unitsChanged();
    });
  }
}

function listenToChoices() {
  for (const form of document.querySelectorAll('form.choices')) form.addEventListener('submit', (event) => event.preventDefault());
  const on = (id, kind, take) => byId(id).addEventListener(kind, (event) => {
    take(event);
    changed();
  });
  on('layer', 'change', () => {
    state.layer = byId('layer').value;
    for (const option of byId('layer').querySelectorAll('[data-gone]:not(:checked)')) option.remove();
  });
  on('from', 'change', () => setPeriod(byId('from').value, state.to));
  on('to', 'change', () => setPeriod(state.from, byId('to').value));
  on('span', 'change', () => { state.span = byId('span').checked ? 'window' : ''; });
  for (const button of byId('quick').children) {
    button.addEventListener('click', () => {
      setPeriod(...periods[button.dataset.period]());
      changed();
    });
  }
  for (const button of byId('steps').children) {
    button.addEventListener('click', () => {
      setPeriod(...neighbour(state.from, state.to, Number(button.dataset.step)));
      changed();
    });
  }
}

function listenToComparison() {
  byId('against').addEventListener('change', () => {
    const mode = byId('against').value;
    byId('against').dataset.own = mode === 'own' ? '1' : '';
    if (mode !== 'own') state.minus = mode ? comparisons[mode](state.from, state.to) : '';
    changed();
  });
  for (const id of ['minus-from', 'minus-to']) {
    byId(id).addEventListener('change', () => {
      const ends = [byId('minus-from').value, byId('minus-to').value];
      byId('against').dataset.own = '1';
      state.minus = ends[0] || ends[1] ? ends.join('/') : '';
      changed();
    });
  }
}

/// Says that there are no tracks in the period or the layer, if that is so.
export async function showWhetherEmpty() {
  const number = checks += 1, isPeriod = Boolean(state.from || state.to);
  const isLimited = !state.track && (isPeriod || state.layer !== 'all');
  const found = isLimited && await get('v1/tracks', parameters(selectionParameters, { limit: 1 })).catch(() => null);
  if (number !== checks) return;
  setNotice('period', found?.tracks?.length === 0
    ? `There are no tracks in this ${isPeriod ? 'period' : 'layer'}.` : '');
}

/// Shows what the library holds, as `/health` tells it.
export function showTotals(health) {
  byId('totals').textContent = counted(health.tracks, 'track') + ', ' + counted(health.points, 'point')
    + (health.behind ? '; more are being processed' : '');
}

/// Shows lengths and speeds in the selected units, or in those of the reader's locale.
export function showUnits() {
  setUnits(state.units || unitsOf(navigator.language || 'en'));
  for (const radio of document.getElementsByName('units')) radio.checked = (radio.value === 'imperial') === isImperial();
  showScale();
}
