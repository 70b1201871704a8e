/// The state when the URL says nothing. `back` is the part of the URL from before a single track was selected; `play` is
/// the day from which on tracks are played, or `track`.
const defaults = {
  style: 'heat', layer: 'all', from: '', to: '', minus: '', ramp: '', span: '', track: '', back: '', background: '',
  base: '', grid: '1', panel: '', q: '', activity: '', by: '', measure: '', year: '',
  pins: '', pin: '', box: '', kind: '', category: '', hours: '', months: '',
  venue: '', level: '', place: '', rooms: '', roomKind: '', origin: '', destination: '', via: '', profile: '',
  units: '', play: '', only: '', together: '', at: '', speed: '60',
  trail: '0', follow: '1', under: '', live: '',
  paper: '', orientation: '', posterStyle: '', posterTheme: '', format: '', dpi: '', title: '', chart: '',
  route: '', journey: '',
  scene: '', azimuth: '', tilt: '', stretch: '', common: '',
};
/// What is shown. All of it is in the fragment of the URL, so that a view can be bookmarked and shared.
export const state = { ...defaults };

/// What is known, but not in the URL. `styles` are those of the server, and `revision` is that of the library, the value
/// of `?v=`. `theme` is `dark` if the background is dark, else ''. While the reader drags a period, `isDragging` is true:
/// what is shown then does not get into the URL. `hasVenues` says whether the library has venues, if it is known, and
/// `isLink` that the page was opened by a link to one, which has no view.
export const known = {
  styles: [], revision: undefined, theme: '', isDragging: false, hasVenues: undefined, isLink: false,
};
/// Tiles of the server that are not drawn by a style of its list.
export const otherTiles = [
  ['explorer', 'Visited tiles, zoom 14'], ['explorer-17', 'Visited tiles, zoom 17'], ['countries', 'Countries'],
].map(([name, title]) => ({ kind: 'areas', name, title, takesRamp: false, takesTheme: true }));
/// The current style as the server describes it; a heat style until the server has answered.
export const currentStyle = () =>
  known.styles.find(({ name }) => name === state.style) || { kind: 'heat', takesRamp: true, takesTheme: true };

/// Hours or months such as `6-9,22-4`, each from `low` to `high`; what the server takes.
export const isRanges = (text, low, high) => text.split(',').every((part) => {
  const ends = part.split('-');
  return ends.length <= 2 && ends.every((end) => /^\d{1,2}$/.test(end) && Number(end) >= low && Number(end) <= high);
});

const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text + 'T00:00:00Z').toJSON()?.slice(0, 10) === text;
const oneOf = (...words) => (text) => words.includes(text);
const isWithin = (low, high) => (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= low && Number(text) <= high;
/// An id of any form.
const isKey = (text) => /^[\w.~-]{1,100}$/.test(text);
const isID = (text) => /^[0-9a-f]{32}$/.test(text);
/// A stop of a way: a place, or a point and perhaps its level.
const STOP = String.raw`([0-9a-f]{32}|-?[\d.]+,-?[\d.]+(,[^,;]+)?)`;
const matches = (expression) => (text) => new RegExp(`^(${expression})$`).test(text);
const checks = {
  from: isDay, to: isDay,
  minus: (text) => text.split('/').length === 2 && text.split('/').every((end) => !end || isDay(end)),
  span: oneOf('window'), background: oneOf('light', 'grey', 'dark'), grid: oneOf('0', '1'),
  panel: oneOf('map', 'play', 'appearance', 'tracks', 'track', 'statistics', 'year', 'explorer', 'countries', 'stays', 'pins', 'pin', 'add-pin', 'share',
    'files', 'find', 'poster', 'venues', 'place', 'directions', 'journeys', 'route', 'journey', 'passport', 'focus', 'person'),
  by: oneOf('day', 'week', 'month', 'year'),
  measure: oneOf('metres', 'seconds', 'movingSeconds', 'climb', 'tracks', 'days'),
  pins: oneOf('1'), pin: isID, kind: oneOf('photo', 'waypoint', 'mark', 'hand'),
  box: (text) => text.split(',').length === 4 && text.split(',').every((part) => part && Number.isFinite(Number(part))),
  hours: (text) => isRanges(text, 0, 23), months: (text) => isRanges(text, 1, 12),
  venue: isID, place: isID, level: (text) => /^-?\d{1,3}$/.test(text), roomKind: (text) => /^[a-z]{1,20}$/.test(text),
  origin: matches(STOP), destination: matches(STOP + '|category:[a-z.]{1,40}'), via: matches(`${STOP}(;${STOP}){0,5}`),
  profile: oneOf('wheelchair', 'nolift'),
  year: (text) => /^\d{1,4}$/.test(text), units: oneOf('metric', 'imperial'),
  play: (text) => text === 'track' || isDay(text), only: oneOf('1'), together: oneOf('1'), follow: oneOf('0', '1'),
  at: (text) => Number.isFinite(Date.parse(text)), trail: (text) => /^\d{1,7}$/.test(text), under: oneOf('heat', 'map'),
  speed: (text) => text === 'max' || Number(text) >= 0.1 && Number(text) <= 100_000, live: oneOf('1'),
  paper: oneOf('A4', 'A3', 'A2', 'A1', 'A0'), orientation: oneOf('portrait', 'landscape'),
  posterTheme: oneOf('light', 'dark'), format: oneOf('pdf', 'svg', 'png'), dpi: oneOf('100', '150', '300', '600'),
  title: (text) => text.length <= 200, chart: oneOf('elevation', 'speed'),
  route: isKey, journey: isKey,
  scene: oneOf('ele', 'time', 'speed'), common: oneOf('1'), azimuth: isWithin(0, 360), tilt: isWithin(10, 90),
  stretch: isWithin(0.01, 10_000),
};
/// The names of today by the names in URLs of earlier versions, of parameters and of panels.
const formerNames = { ground: 'background', strip: 'chart' }, formerPanels = { sums: 'statistics' };

/// A view [zoom level, latitude, longitude] as text `ZOOM/LATITUDE/LONGITUDE`.
export const viewText = ([zoom, latitude, longitude]) => [zoom, latitude.toFixed(5), longitude.toFixed(5)].join('/');

/// The view of such a text; null if it is none.
export function parseView(text) {
  const view = text.split('/').map((part) => part ? Number(part) : NaN);
  return view.length === 3 && view.every(Number.isFinite) ? view : null;
}

/// Sets the state from the fragment of a URL (`#from=2024-05-01&map=…`). Returns the view if there is one, else null,
/// and the parts that are not valid, as they are in the URL.
export function readFragment(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  Object.assign(state, defaults);
  let view = null;
  const ignored = [];
  for (const [given, value] of parameters) {
    const name = formerNames[given] ?? given, text = name === 'panel' ? formerPanels[value] ?? value : value;
    if (!text) continue;
    if (name === 'map') view = parseView(text);
    const isValid = name === 'map' ? view : name in defaults && (checks[name] || Boolean)(text);
    if (!isValid) ignored.push(given + '=' + text);
    else if (name !== 'map') state[name] = text;
  }
  return { view, ignored };
}

/// The fragment of a URL for the state and a view, with `#`; '' if everything has its default.
export function fragment(view) {
  const parts = view ? ['map=' + viewText(view)] : [];
  for (const [name, text] of Object.entries(state)) {
    if (text !== defaults[name]) parts.push(name + '=' + encodeURIComponent(text).replace(/%2F/g, '/'));
  }
  return parts.length > 0 ? '#' + parts.join('&') : '';
}

/// Replaces a link to a place of a venue (`?venue=ID&place=ID`), as codes at doors have it, by the URL of its panel.
export function openLink() {
  const query = new URLSearchParams(location.search), [venue, place] = ['venue', 'place'].map((name) => query.get(name) ?? '');
  if (!isID(venue) || location.hash) return;
  known.isLink = true;
  for (const name of ['venue', 'place']) query.delete(name);
  const panel = isID(place) ? `panel=place&venue=${venue}&place=${place}` : `panel=venues&venue=${venue}`;
  history.replaceState(null, '', `${location.pathname}${String(query) && '?' + query}#${panel}`);
}

/// What the picture of a tile depends on, besides its coordinates and its style.
const tileParameters = ['layer', 'from', 'to', 'minus', 'ramp', 'span', 'track'];
/// What the list of tracks at a place depends on.
export const selectionParameters = ['layer', 'from', 'to'];
/// What a legend depends on.
export const legendParameters = ['layer', 'from', 'to', 'minus', 'ramp', 'span'];

/// Parameters for a request: those of `names` that differ from their default, and `more`.
export function parameters(names = tileParameters, more = {}) {
  const result = { ...more };
  for (const name of names) if (state[name] !== defaults[name]) result[name] = state[name];
  // Some styles have colours of their own for dark backgrounds.
  const isTile = names === tileParameters || names === legendParameters;
  if (isTile && known.theme && currentStyle().takesTheme) result.theme = known.theme;
  // A single track is drawn with its start, its end and its direction.
  if (names === tileParameters && state.track && !state.track.includes(',')) result.marks = '1';
  return result;
}

// The browser's history

/// The URL is written at most once in this time: browsers refuse more frequent changes.
const WRITING_MS = 500;
let currentView = () => null, noting = 0, writing = 0, noted = null;

/// Takes a function that returns the view of the map, or null.
export function startHistory(view) {
  currentView = view;
}

const write = (method, text) => history[method](null, '', text || location.pathname + location.search);

/// Writes state and view into the URL of the present entry, soon.
export function remember() {
  // Not at once: if `step` follows in the same turn, the change belongs to the next entry of the history.
  noting ||= setTimeout(() => {
    noting = 0;
    if (known.isDragging) return;
    noted = fragment(currentView());
    writing ||= setTimeout(writeNoted, WRITING_MS);
  });
}

function writeNoted() {
  clearTimeout(writing);
  writing = 0;
  if (noted !== null) write('replaceState', noted);
  noted = null;
}

/// Makes the state an entry of the browser's history, so that Back returns to what was shown before.
export function step() {
  clearTimeout(noting);
  noting = 0;
  writeNoted();
  const wanted = fragment(currentView());
  if (wanted !== location.hash) write('pushState', wanted);
}
