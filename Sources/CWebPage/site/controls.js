import { state } from './state.js';
import { byId, element, listButton } from './document.js';
import { dayIn, instantText, libraryZone, zonedFormat } from './calendar.js';
import { dateText } from './days.js';
import { chartText, drawChart, renewChart, showChart, showChartTrack, showTooltip } from './player-chart.js';
import { counted, distanceText, number, speedText } from './text.js';

/// Tracks that are listed.
const MAX_LISTED = 500;
/// Steps of the slider.
const STEPS = 1000;

let playingTime = null, tracks = [], together = false, statusTimer = 0, clock = null, clockZone = '';

/// Shows the controls for the state; without `isWhole`, only whether it plays.
export function showControls({ isPlaying, isTrack, showsHeat, isWhole }) {
  const player = byId('player');
  player.toggleAttribute('data-playing', isPlaying);
  byId('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
  byId('play').title = isPlaying ? 'Pause (space)' : 'Play (space)';
  if (!isWhole) return;
  player.hidden = !state.play;
  document.documentElement.toggleAttribute('data-replaying', Boolean(state.play));
  if (!state.play) closeDays();
  for (const id of ['day-before', 'day', 'day-behind', 'extent-row', 'order-row']) byId(id).hidden = isTrack;
  // The legend takes its place before it is filled: otherwise buttons would move away from the pointer.
  byId('play-colors').hidden = isTrack || state.together === '1';
  if (!isTrack && state.play) showDay(state.play);
  choose('speed', state.speed);
  choose('trail', state.trail);
  byId('extent').value = state.only;
  byId('order').value = state.together;
  byId('follow').checked = state.follow === '1';
  byId('under').checked = showsHeat;
  renewChart();
}

/// Closes the dialog of days.
function closeDays() {
  byId('days').hidden = true;
  byId('day').setAttribute('aria-expanded', 'false');
}

function showDay(day) {
  if (byId('day').dataset.day === day) return;
  byId('day').dataset.day = day;
  byId('day').textContent = dateText(day);
}

/// Selects a value in a list; values of the URL that the list does not have are added.
function choose(id, value) {
  const select = byId(id);
  if (![...select.options].some((option) => option.value === value)) {
    select.add(new Option(id === 'speed' ? value + ' ×' : value + ' s', value));
  }
  select.value = value;
}

/// Shows a message about the replay, for some time if it is given.
export function showStatus(text, isLost = false, milliseconds = 0) {
  clearTimeout(statusTimer);
  byId('player').toggleAttribute('data-lost', isLost);
  byId('play-state').textContent = text;
  if (milliseconds) statusTimer = setTimeout(showStatus, milliseconds, '');
}

// Tracks of the replay

/// Shows a manifest's tracks and their density.
export function showPlayed(manifest, ownPlayingTime, isTogether) {
  playingTime = ownPlayingTime;
  tracks = manifest.tracks;
  together = isTogether;
  showChart(manifest, ownPlayingTime, isTogether);
  const lines = tracks.slice(0, MAX_LISTED).filter(({ start }) => start !== null).map((track) => {
    const start = Math.max(track.start, manifest.density.from);
    const facts = instantText(start) + ' · ' + distanceText(track.metres);
    const item = listButton(track.name || 'Track', facts);
    Object.assign(item.dataset, { track: track.track, start });
    return element('li', '', item);
  });
  const more = tracks.length - MAX_LISTED;
  if (more > 0) lines.push(element('li', 'rest', 'and ' + counted(more, 'more track')));
  byId('played').className = 'lines';
  byId('played').replaceChildren(...lines);
}

// Position

function clockText(instant) {
  if (!clock || clockZone !== libraryZone()) {
    clockZone = libraryZone();
    clock = zonedFormat({
      weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
      second: '2-digit', timeZoneName: 'short',
    });
  }
  return clock.format(instant);
}

/// Shows what is played at the position of the slider that the pointer is at.
function showSliderTooltip({ clientX }) {
  const { left, width } = byId('slider').getBoundingClientRect();
  if (!playingTime || width < 1) return;
  const position = Math.min(1, Math.max(0, (clientX - left) / width)) * playingTime.length;
  const { instant, track } = playingTime.at(position);
  showTooltip(clientX, [instantText(instant), tracks[track]?.name, chartText(position)].filter(Boolean),
    () => showSliderTooltip({ clientX }));
}

/// Shows a position of the playing time on the slider and the clock.
export function moveSlider({ position, length, instant }) {
  const slider = byId('slider'), share = length > 0 ? position / length : 0;
  slider.value = String(Math.round(share * STEPS));
  slider.style.setProperty('--passed', share * 100 + '%');
  const text = clockText(instant), value = chartText(position);
  slider.setAttribute('aria-valuetext', value ? text + ', ' + value : text);
  byId('clock').textContent = text;
  if (state.play !== 'track') showDay(dayIn(instant));
}

/// Shows position, track, distance and speed.
export function showPosition(now) {
  moveSlider(now);
  const facts = [];
  if (now.count) facts.push(number.format(now.count.frames) + ' of ' + counted(now.count.points, 'point'));
  if (!together) {
    if (now.metres !== undefined) facts.push(distanceText(now.metres));
    if (now.speed !== undefined) facts.push(speedText(now.speed));
  }
  const name = together ? counted(tracks.length, 'track') : now.track?.name || 'Track';
  if (byId('now-name').textContent !== name) byId('now-name').textContent = name;
  byId('now-facts').textContent = facts.join(' · ');
  if (now.color) byId('now-color').style.background = now.color;
  else byId('now-color').removeAttribute('style');
  showChartTrack(now.track?.track);
  // The number of frames, and of frames received twice, for tests.
  Object.assign(byId('player').dataset, { frames: now.frames, doubled: now.doubled });
  const current = byId('played').querySelector('[aria-current]');
  const id = now.track?.track;
  if (together || current?.dataset.track === id) return;
  current?.removeAttribute('aria-current');
  byId('played').querySelector('[data-track="' + CSS.escape(id ?? '') + '"]')?.setAttribute('aria-current', 'true');
}

/// Shows how many explorer tiles have been visited so far; without figures, nothing.
export function showTiles(figures) {
  const shown = byId('now-tiles'), side = figures?.square.side;
  shown.textContent = figures ? `${counted(figures.tiles, 'tile')} · ${side} × ${side}` : '';
  shown.title = figures ? `Tiles of zoom level ${figures.zoom} visited so far, with a square of ${side} × ${side} tiles`
    + (figures.cluster > 0 ? ` and a cluster of ${counted(figures.cluster, 'tile')}` : '') : '';
}

// Input

/// Calls the actions that the reader chooses: `toggle`, `scrub`, `skip`, `seek`, `speed`, `changed`, `again`, `day`,
/// `step`, `end`.
export function listenToControls(actions) {
  const on = (id, kind, take) => byId(id).addEventListener(kind, take);
  on('play', 'click', actions.toggle);
  on('player-end', 'click', actions.end);
  on('slider', 'input', () => actions.scrub(Number(byId('slider').value) / STEPS));
  on('slider', 'change', () => actions.scrub(Number(byId('slider').value) / STEPS, true));
  on('slider', 'pointermove', showSliderTooltip);
  on('slider', 'pointerleave', () => showTooltip(0, []));
  on('speed', 'change', () => actions.speed(byId('speed').value));
  on('follow', 'change', () => {
    state.follow = byId('follow').checked ? '1' : '0';
    actions.changed();
  });
  on('trail', 'change', () => {
    state.trail = byId('trail').value;
    actions.changed();
  });
  on('chart', 'change', () => {
    state.chart = byId('chart').value;
    actions.changed();
  });
  on('under', 'change', () => {
    state.under = byId('under').checked ? 'heat' : 'map';
    actions.changed();
  });
  on('extent', 'change', () => {
    state.only = byId('extent').value;
    actions.again();
  });
  on('order', 'change', () => {
    state.together = byId('order').value;
    actions.again();
  });
  on('more', 'click', () => {
    const isOpen = byId('options').hidden;
    byId('options').hidden = !isOpen;
    byId('more').setAttribute('aria-expanded', String(isOpen));
    byId('more').textContent = isOpen ? 'Less' : 'More';
  });
  on('day', 'click', async () => {
    const { openDays } = await import('./daypicker.js');
    if (byId('days').hidden) openDays(byId('day').dataset.day, { select: actions.day, close: closeDays });
    else closeDays();
  });
  on('day-before', 'click', () => actions.step(-1));
  on('day-behind', 'click', () => actions.step(1));
  on('played', 'click', (event) => {
    const { start } = event.target.closest('button')?.dataset ?? {};
    if (start) actions.seek(Number(start));
  });
  addEventListener('pointerdown', (event) => {
    if (!event.target.closest('#days, #day')) closeDays();
  });
  addEventListener('keydown', (event) => handleKey(event, actions));
  addEventListener('resize', drawChart);
}

function handleKey(event, actions) {
  if (!state.play || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const isSlider = target.id === 'slider';
  if (!isSlider && target.closest('input:not([type="checkbox"]), select, textarea, #days')) return;
  if (event.key === ' ') {
    // Elements that react to the space bar keep it.
    if (target.closest('button, summary, a, input[type="checkbox"]')) return;
    actions.toggle();
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    // The arrow keys move the map if it has the focus.
    if (target.closest('#map')) return;
    actions.skip(event.key === 'ArrowLeft' ? -1 : 1);
  } else return;
  event.preventDefault();
}
