import { leafletMap } from './map.js';
import { nearestLongitude } from './mercator.js';

/// The pointer shows a place of a track if it is at most so many pixels away.
const REACH_PIXELS = 30;

/// A marker for a place, [latitude, longitude], not yet on the map.
export const makePlaceMarker = (place) =>
  L.circleMarker(place, { className: 'place-marker', radius: 7, weight: 3, interactive: false });

/// A marker that moves along a track, with the cursor of its profile. `moved` is called with the index of the place next
/// to the pointer, and with -1 when none is near.
export function makeProfileMarker(places, moved) {
  const map = leafletMap();
  if (!map) return { show() {}, remove() {} };
  const marker = makePlaceMarker([0, 0]);
  let isShown = false;

  function pointed(event) {
    const near = map.getCenter().lng;
    let [found, least] = [-1, REACH_PIXELS ** 2];
    places.forEach(([longitude, latitude], index) => {
      const { x, y } = map.latLngToContainerPoint([latitude, nearestLongitude(longitude, near)]);
      const squared = (x - event.containerPoint.x) ** 2 + (y - event.containerPoint.y) ** 2;
      if (squared < least) [found, least] = [index, squared];
    });
    if (found >= 0 || isShown) moved(found);
  }
  const left = () => { if (isShown) moved(-1); };
  map.on('mousemove', pointed);
  map.on('mouseout', left);

  return {
    /// Shows the place with an index; none if it is -1.
    show(index) {
      isShown = index >= 0;
      if (!isShown) {
        marker.remove();
        return;
      }
      const [longitude, latitude] = places[index];
      marker.setLatLng([latitude, nearestLongitude(longitude, map.getCenter().lng)]).addTo(map);
    },
    remove() {
      marker.remove();
      map.off('mousemove', pointed);
      map.off('mouseout', left);
    },
  };
}
