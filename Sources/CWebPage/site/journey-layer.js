import { element } from './document.js';
import { leafletMap, offerClicks } from './map.js';
import { nearestLongitude } from './mercator.js';
import { boxOf } from './journey-text.js';

/// A figure that has moved less than this on the map, in pixels, is not drawn again.
const STILL_PIXELS = 0.5;
/// Clicks on the map while routes are shown, before the floors and the pins.
const RANK = 3;
const PANE = 'journeys';

const latLngs = (line) => line.map(([longitude, latitude]) => [latitude, longitude]);

/// A line in the copy of the world in which it is not torn.
function untorn(line) {
  let before = null;
  return line.map(([longitude, latitude]) => [before = before === null ? longitude : nearestLongitude(longitude, before), latitude]);
}

function makePane(map) {
  if (!map.getPane(PANE)) map.createPane(PANE).style.zIndex = 380;
  return map.getPane(PANE);
}

const lineOptions = (className, weight, isInteractive = false) => ({
  className, weight, pane: PANE, interactive: isInteractive, bubblingMouseEvents: false, lineCap: 'round', lineJoin: 'round',
});

/// What is on the map: the places of a route as pins, which can be chosen, and a journey along it. While it is shown, what
/// was recorded is in the background.
export function makeJourneyLayer(choose) {
  const map = leafletMap();
  if (!map) return { showRoutes() {}, show() {}, move() {}, remove() {} };
  makePane(map);
  document.documentElement.toggleAttribute('data-journey', true);
  const group = L.layerGroup().addTo(map), casing = L.polyline([], lineOptions('journey-glow', 12));
  const left = L.polyline([], lineOptions('journey-left', 4)), done = L.polyline([], lineOptions('journey-done', 5));
  let figure = null, pins = new Map(), measure = null, last = null, middle = 0;

  /// A place as a pin with its name.
  function pin(place, look) {
    const marker = L.marker([place.lat, nearestLongitude(place.lon, middle)], {
      title: look.title, alt: look.title, riseOnHover: true, zIndexOffset: look.kind === 'next' ? 200 : 0,
      icon: L.divIcon({ className: `journey-pin ${look.kind}`, html: pinElement(place.name), iconSize: null }),
    }).addTo(group);
    marker.getElement().setAttribute('aria-label', look.title);
    marker.on('click', () => choose(place));
    marker.on('keydown', ({ originalEvent }) => { if (originalEvent.key === ' ') choose(place); });
    return marker;
  }

  function pinElement(name) {
    return element('span', 'pin', element('i'), element('span', 'name', name));
  }

  return {
    /// Shows the lines of routes, each of which can be chosen.
    showRoutes(routes) {
      group.clearLayers();
      for (const route of routes) {
        if (route.line.length < 2) continue;
        const line = L.polyline(latLngs(untorn(route.line)), lineOptions('journey-left route', 4, true)).addTo(group);
        line.bindTooltip(element('span', '', route.name), { sticky: true });
        line.on('click', () => choose(route));
        for (const { lat, lon } of route.places) {
          L.circleMarker([lat, nearestLongitude(lon, route.line[0][0])], {
            className: 'journey-dot', radius: 3, weight: 1, fillOpacity: 1, pane: PANE, interactive: false,
          }).addTo(group);
        }
      }
    },
    /// Shows a route with its places; `lookOf(place)` is the kind of a pin and its title. With a picture, somebody stands where
    /// a journey is.
    show({ route, measure: given, picture, lookOf }) {
      group.clearLayers();
      [measure, last, pins, figure] = [given, null, new Map(), null];
      middle = (boxOf(route.line)[0] + boxOf(route.line)[2]) / 2;
      for (const line of [casing, left, done]) line.setLatLngs([]).addTo(group);
      if (!measure) left.setLatLngs(latLngs(untorn(route.line)));
      for (const place of route.places) pins.set(place.id, pin(place, lookOf(place)));
      if (picture === undefined) return;
      const image = Object.assign(element('img'), { alt: '', draggable: false });
      // Without a picture, the figure is a disc.
      image.addEventListener('error', () => image.remove());
      if (picture) image.src = picture;
      else image.hidden = true;
      figure = L.marker([0, 0], {
        interactive: false, keyboard: false, zIndexOffset: 1000,
        icon: L.divIcon({ className: 'journey-figure', html: element('span', '', element('b', '', image)), iconSize: null }),
      });
    },
    /// Moves the figure, and lights the line up to it.
    move(metres, isWalking) {
      if (!measure) return;
      const [before, after] = measure.parts(metres), here = before.at(-1);
      figure?.getElement()?.classList.toggle('walking', isWalking);
      const point = map.project([here[1], here[0]]);
      if (last?.distanceTo(point) < STILL_PIXELS && figure && group.hasLayer(figure)) return;
      last = point;
      for (const line of [casing, done]) line.setLatLngs(latLngs(before));
      left.setLatLngs(latLngs(after));
      figure?.setLatLng([here[1], here[0]]);
      if (figure && !group.hasLayer(figure)) figure.addTo(group);
    },
    /// Shows another kind of pin, because a place was chosen or reached.
    look(place, { kind, title }) {
      const marker = pins.get(place.id)?.getElement();
      if (!marker) return;
      marker.className = marker.className.replace(/journey-pin \S+/, 'journey-pin ' + kind);
      marker.setAttribute('aria-label', title);
      marker.title = title;
    },
    /// Gives the next clicks on the map to `take`, or to nobody.
    takeClicks(take) {
      offerClicks(RANK, take);
    },
    remove() {
      offerClicks(RANK, null);
      group.remove();
      document.documentElement.toggleAttribute('data-journey', false);
    },
  };
}
