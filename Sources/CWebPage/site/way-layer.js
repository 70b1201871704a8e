import { element } from './document.js';
import { leafletMap } from './map.js';
import { floorsOf, floorWith } from './venue-text.js';
import { levelChanges, levelLines } from './walk.js';
import { drawsWay, onFloor, shownFloor } from './floors.js';

const latLngs = (line) => line.map(([longitude, latitude]) => [latitude, longitude]);

/// A way on the map: a line on the floor that is shown, which its tiles have or is drawn here, dots on others, the stairs
/// and lifts that it takes, the leg that was chosen, and somebody who walks it.
export function makeWayLayer() {
  const map = leafletMap(), group = L.layerGroup().addTo(map);
  const walker = L.circleMarker([0, 0], { className: 'walker', radius: 9, weight: 3, fillOpacity: 1, interactive: false });
  let legs = [], venue = null, chosen = -1;

  const line = (places, className, weight) => L.polyline(latLngs(places), { className, weight, interactive: false }).addTo(group);
  const dot = (place, className) => L.circleMarker(latLngs([place])[0], {
    className, radius: 7, weight: 3, fillOpacity: 1, interactive: false,
  }).addTo(group);

  function sign({ place, from, to }) {
    const text = `${to.ordinal > from.ordinal ? '↑' : '↓'} ${to.shortName}`;
    L.marker(latLngs([place])[0], {
      interactive: false, keyboard: false,
      icon: L.divIcon({ className: 'level-change', html: element('span', '', text), iconSize: null }),
    }).addTo(group);
  }

  /// What is on the floor that is shown, if its tiles do not show the way.
  function drawHere(lines, isHere) {
    for (const { line: places } of lines) line(places, 'way-line casing', 9);
    for (const { line: places } of lines) line(places, 'way-line', 5);
    if (isHere(legs[0].level)) dot(legs[0].line[0], 'way-start');
    if (isHere(legs.at(-1).level)) dot(legs.at(-1).line.at(-1), 'way-end');
  }

  function draw() {
    group.clearLayers();
    if (legs.length === 0) return;
    const floors = floorsOf(venue), floor = shownFloor();
    const isHere = (level) => !level || floor?.levels.some(({ id }) => id === level);
    const lines = levelLines(legs);
    for (const { line: places } of lines.filter(({ level }) => !isHere(level))) line(places, 'way-line other', 4);
    if (!drawsWay()) drawHere(lines.filter(({ level }) => isHere(level)), isHere);
    if (legs[chosen] && isHere(legs[chosen].level)) line(legs[chosen].line, 'way-line chosen', 7);
    for (const change of levelChanges(legs).filter(({ level }) => isHere(level))) {
      const [from, to] = [change.level, change.to].map((level) => floorWith(floors, level));
      if (from && to && from !== to) sign({ place: change.place, from, to });
    }
    if (map.hasLayer(walker)) walker.bringToFront();
  }
  const forget = onFloor(draw);
  return {
    /// Shows the legs of a way in a venue; none if there are no legs.
    show(given, where) {
      [legs, venue, chosen] = [given, where, -1];
      walker.remove();
      draw();
    },
    /// Marks a leg; none if the index is -1.
    choose(index) {
      if (chosen === index) return;
      chosen = index;
      draw();
    },
    /// Shows somebody at a place, [longitude, latitude].
    walk(place) {
      walker.setLatLng(latLngs([place])[0]);
      if (!map.hasLayer(walker)) walker.addTo(map);
    },
    remove() {
      forget();
      walker.remove();
      group.remove();
    },
  };
}
