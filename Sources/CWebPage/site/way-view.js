import { button, element } from './document.js';
import { get } from './server.js';
import { state } from './state.js';
import { currentZoom, keepInView, showBox, visiblePart } from './map.js';
import { statusLine } from './panel-elements.js';
import { requestPosition } from './position.js';
import { floorsOf, floorWith, instructionText, isWithin, legArrow, legLine, progressText } from './venue-text.js';
import { boxOf } from './walk.js';
import { levelAt, shownFloor, showFloor, showWayOnFloors } from './floors.js';
import { makeWalkPlayer } from './walk-player.js';
import { makeWayLayer } from './way-layer.js';

/// A way and its legs are shown at most at this zoom level, and walks are played at least at the other one.
const WAY_ZOOM = 20, WALK_ZOOM = 18;

/// A way in the panel and on the map: how long it is, its legs, and the walk along it.
export function makeWayView() {
  const note = element('p', 'quiet'), list = element('ol', 'legs');
  const here = button('Where am I on this way?'), progress = statusLine();
  const layer = makeWayLayer(), player = makeWalkPlayer({ moved, textOf: ({ instruction }) => instructionText(instruction) });
  const box = element('section', 'more way', note, player.box, list, here, progress);
  box.hidden = true;
  let way = null, venue = null;

  function showLevel(level) {
    const floor = level && floorWith(floorsOf(venue), level);
    if (floor && floor !== shownFloor() && floor.ordinal !== shownFloor()?.ordinal) showFloor(floor.ordinal);
  }

  function mark(index) {
    for (const [position, item] of [...list.children].entries()) {
      if (position === index) item.firstChild.setAttribute('aria-current', 'step');
      else item.firstChild.removeAttribute('aria-current');
    }
    layer.choose(index);
  }

  function moved({ leg, place, level }, isPlaying) {
    showLevel(level);
    mark(leg);
    layer.walk(place);
    if (isPlaying && currentZoom() < WALK_ZOOM) showBox([...place, ...place], WALK_ZOOM);
    else if (isPlaying) keepInView([place]);
  }

  function legItem(leg, index) {
    const words = element('span', 'words', element('b', '', instructionText(leg.instruction)), element('span', '', legLine(venue, leg)));
    const line = button(element('i', '', legArrow(leg)), words);
    line.firstChild.setAttribute('aria-hidden', 'true');
    line.addEventListener('click', () => {
      player.seek(index);
      showBox(boxOf([leg]), WAY_ZOOM);
    });
    return element('li', '', line);
  }

  /// Whether the map shows the way large enough already.
  function isInView([west, south, east, north]) {
    const part = visiblePart();
    return part && currentZoom() >= WALK_ZOOM && [[west, south], [east, north]]
      .every(([lon, lat]) => isWithin(part.box, { lon, lat }));
  }

  function take(given, where, asks) {
    [way, venue] = [given, where];
    const { legs } = way;
    note.textContent = way.approximate ? 'Approximate: the plan lacks a door or a path that this way uses.' : '';
    note.hidden = !way.approximate;
    here.hidden = !way.id;
    progress.textContent = '';
    list.replaceChildren(...legs.map(legItem));
    player.take(legs);
    // A link, or *Back*, has its own view and floor.
    if (asks || !isInView(boxOf(legs))) showBox(boxOf(legs), WAY_ZOOM);
    if (asks || !state.level) showLevel(legs.find(({ level }) => level)?.level);
    showWayOnFloors(way.id ?? '', legs.map(({ level }) => level).filter(Boolean));
    layer.show(legs, venue);
  }

  here.addEventListener('click', async () => {
    progress.textContent = 'Determining where you are…';
    try {
      const { longitude: lon, latitude: lat } = await requestPosition();
      const found = await get('v1/directions/' + way.id, { lon, lat, level: await levelAt({ lon, lat }) });
      progress.textContent = progressText(found.progress);
      mark(found.progress.leg);
    } catch (error) {
      progress.textContent = error.message;
    }
  });

  return {
    box,
    /// Shows a way in a venue, from its beginning if the reader `asks` for it; nothing if it is null.
    show(given, where, asks) {
      box.hidden = !given;
      player.pause();
      if (given) take(given, where, asks);
      else {
        layer.show([], null);
        showWayOnFloors('', []);
      }
    },
    setBusy: (isBusy) => box.setAttribute('aria-busy', String(isBusy)),
    remove() {
      player.pause();
      layer.remove();
      showWayOnFloors('', []);
    },
  };
}
