import { known, state } from './state.js';
import { button, element } from './document.js';
import { get, trackPath } from './server.js';
import { instantText, libraryZone, loadZone, timeText } from './calendar.js';
import { selectedTrack, showTrack, trackTitle } from './selected-track.js';
import {
  counted, distanceText, durationText, heightText, isImperial, NO_SUCH_TRACK, number, speedText,
} from './text.js';
import { distance, figures, MAX_POINTS, MIN_SPAN, pointsOf, samples } from './profile.js';
import { limits, lineChart } from './chart.js';
import { definitions, input, statusLine } from './panel-elements.js';
import { makeProfileMarker } from './place-marker.js';
import { editor } from './edit.js';
import { joinCursor } from './track-cursor.js';

const rateText = (rate) => Math.round(rate) + ' /min';
const seconds = (value) => durationText(value * 1000);

/// What the server's list says about a track.
const listedPairs = (track) => [
  ['Distance', distanceText(track.metres)],
  ['Elapsed time', track.seconds > 0 ? seconds(track.seconds) : ''],
];

/// What its points say; moving time and climb are those of the server's statistics, if it has them already.
const computedPairs = (found, track) => [
  ['Moving time', found.movingSeconds === undefined ? '' : seconds(track.movingSeconds ?? found.movingSeconds)],
  ['Average speed, moving', track.movingSeconds > 0 ? speedText(track.metres / track.movingSeconds)
    : found.averageSpeed === undefined ? '' : speedText(found.averageSpeed)],
  ['Maximum speed', found.maximumSpeed === undefined ? '' : speedText(found.maximumSpeed)],
  ['Climb', found.climb ? heightText(track.climb ?? found.climb.up) : ''],
  ['Descent', found.climb ? heightText(found.climb.down) : ''],
  ['Heart rate', found.averageRate === undefined ? ''
    : rateText(found.averageRate) + ', at most ' + rateText(found.maximumRate)],
];

const originPairs = (track) => [
  ['Start', track.start ? instantText(track.start) : 'not recorded'],
  ['End', track.end ? instantText(track.end) : ''],
  ['Time zone', libraryZone()],
  ['From', track.places?.fromAddress ?? track.places?.from],
  ['To', track.places?.toAddress ?? track.places?.to],
  ['Addresses', track.places?.addressSource],
  ['Activity', track.activity],
  ['Tags', track.tags?.join(', ')],
  ['Person', track.person],
  ['Device', track.device],
  ['File', track.source],
  ['At the same time', track.sameTimeAs ? counted(track.sameTimeAs.length, 'other track')
    + '; each minute counts once in statistics' : ''],
  ['Points', number.format(track.points)],
];

/// The profile of a track: charts that share a cursor with the map, and a slider for the keyboard.
function profile(points) {
  const some = samples(points), whole = points.at(-1).metres;
  const xs = some.map(({ metres }, index) => whole > 0 ? metres / whole : index / Math.max(1, some.length - 1));
  const series = [
    ['Elevation', 'elevation', heightText], ['Speed', 'speed', speedText], ['Heart rate', 'heartRate', rateText],
  ].map(([name, member, text]) => {
    const ys = some.map((sample) => sample[member]);
    return { name, member, text, ys, range: limits(ys, MIN_SPAN[member]) };
  }).filter(({ range }) => range);
  const marker = makeProfileMarker(some.map(({ place }) => place), point);
  const slider = input('range', { min: 0, max: some.length - 1, value: 0 });
  slider.setAttribute('aria-label', 'Place along the track');
  const readout = element('p', 'readout');
  const describe = (sample) => [
    distanceText(sample.metres), Number.isFinite(sample.time) ? timeText(sample.time) : '',
    ...series.map(({ member, text }) => Number.isFinite(sample[member]) ? text(sample[member]) : ''),
  ].filter(Boolean).join(' · ');
  const charts = series.map(({ name, text, ys, range }) => {
    // A speed or a heart rate is not negative.
    const shown = name === 'Elevation' ? range : [Math.max(0, range[0]), range[1]];
    return lineChart({ name, xs, ys, range: shown, text, point });
  });
  const hint = 'Point at the profile or at the track to see a place in both.';

  const cursor = joinCursor((at) => setPlace(at ? sampleAt(at) : -1));

  /// The sample nearest to what is pointed at elsewhere.
  function sampleAt({ time, place }) {
    const apart = (sample) => Number.isFinite(time) && Number.isFinite(sample.time) ? Math.abs(sample.time - time) : distance(sample.place, place);
    return some.reduce((best, sample, index) => apart(sample) < apart(some[best]) ? index : best, 0);
  }

  /// Shows the place that the reader points at here.
  function point(index) {
    setPlace(index);
    cursor.tell(index < 0 ? null : some[index]);
  }

  function setPlace(index) {
    for (const chart of charts) chart.setCursor(index);
    marker.show(index);
    readout.textContent = index < 0 ? hint : describe(some[index]);
    if (index < 0) return;
    slider.value = String(index);
    slider.setAttribute('aria-valuetext', readout.textContent);
  }
  slider.addEventListener('input', () => point(Number(slider.value)));
  slider.addEventListener('focus', () => point(Number(slider.value)));
  slider.addEventListener('blur', () => point(-1));
  slider.setAttribute('aria-valuetext', describe(some[0]));
  setPlace(-1);
  return {
    element: element('div', 'profile', ...charts.map((chart) => chart.element), slider, readout),
    remove() {
      marker.remove();
      cursor.leave();
    },
  };
}

/// Opens the facts of the selected track.
export function open(body, actions) {
  let shownKey = null, shownTrack = '', runs = 0, shownProfile = null, controller = new AbortController();

  async function loadTrack() {
    const found = await get(trackPath(state.track), undefined, controller.signal);
    return { ...selectedTrack(), ...found };
  }

  function row(track) {
    const show = button('Show on the map'), play = button('Play'), all = button('All tracks'), scene = button('3-D view');
    show.className = 'shows-map';
    scene.className = 'shows-scene';
    scene.dataset.opens = 'scene';
    show.addEventListener('click', showTrack);
    play.addEventListener('click', actions.play);
    play.hidden = scene.hidden = !track.start;
    all.addEventListener('click', () => {
      actions.closeTrack();
      actions.open('tracks');
    });
    return element('div', 'row', all, show, play, scene);
  }

  /// Loads the points and shows what follows from them.
  async function showPoints(track, place, run) {
    const status = statusLine();
    status.textContent = 'Loading the profile…';
    place.replaceChildren(definitions(listedPairs(track)), status);
    try {
      const line = await get(trackPath(track.id) + '.geojson', undefined, controller.signal);
      if (run !== runs) return;
      const points = pointsOf(line);
      place.replaceChildren(definitions([...listedPairs(track), ...computedPairs(figures(points), track)]));
      if (points.length < 2) return;
      shownProfile = profile(points);
      place.append(shownProfile.element);
    } catch (error) {
      if (run !== runs || error.name === 'AbortError') return;
      status.textContent = 'The profile could not be loaded: ' + error.message;
    }
  }

  function showAll(track, run) {
    actions.setTitle(trackTitle(track));
    const place = element('div');
    body.replaceChildren(row(track), place, definitions(originPairs(track)), editor(track, actions, () => {
      shownKey = null;
      renew();
    }));
    if (track.points <= MAX_POINTS) {
      showPoints(track, place, run);
      return;
    }
    const load = button('Load the profile of ' + counted(track.points, 'point'));
    load.addEventListener('click', () => showPoints(track, place, run));
    place.append(definitions(listedPairs(track)), load);
  }

  function stop() {
    controller.abort();
    controller = new AbortController();
    shownProfile?.remove();
    shownProfile = null;
    runs += 1;
  }

  /// Whether the reader edits the track. If the library changes then, the panel stays as it is.
  function isEdited(key) {
    return JSON.parse(key)[0] === state.track && body.querySelector('details.edit[open]');
  }

  async function renew() {
    const key = JSON.stringify([state.track, known.revision, isImperial()]);
    if (known.revision === undefined || key === shownKey) return;
    const before = shownKey;
    if (before && isEdited(before)) return;
    const [id, , units] = JSON.parse(key), [shownId, , shownUnits] = JSON.parse(shownKey ?? '[]');
    shownKey = key;
    // Most changes of the library do not concern the track: then nothing is drawn again.
    const isSame = id === shownId && units === shownUnits;
    if (!isSame) stop();
    const run = runs;
    try {
      const [track] = await Promise.all([loadTrack(), loadZone().catch(() => null)]);
      if (run !== runs || isSame && shownTrack === JSON.stringify(track)) return;
      // The reader may have begun while the answer was awaited.
      if (isSame && isEdited(before)) {
        shownKey = before;
        return;
      }
      if (isSame) stop();
      shownTrack = JSON.stringify(track);
      showAll(track, runs);
    } catch (error) {
      if (run !== runs || error.name === 'AbortError') return;
      shownTrack = '';
      if (error.status !== 404) shownKey = null;
      actions.setTitle('Track');
      const text = error.status === 404 ? NO_SUCH_TRACK : error.message;
      body.replaceChildren(element('p', 'quiet', text));
    }
  }
  const first = selectedTrack();
  body.append(element('p', 'quiet', 'Loading…'));
  renew();
  return { title: first ? trackTitle(first) : 'Track', renew, close: stop };
}
