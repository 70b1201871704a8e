import { known, state } from './state.js';
import * as map from './map.js';

/// Below this zoom level, the tracks of a day are specks.
const FAR_ZOOM = 7;

/// Shows all tracks of a TileJSON; if they are all over the world, those of the busiest place, and offers the others.
/// `isCurrent` says whether the reader has not gone on meanwhile; `showAll` is called when all are wanted nevertheless.
export async function openMap(tileJSON, { isEmpty, isCurrent, showAll }) {
  const isFar = !isEmpty && !state.track && !known.isLink && map.zoomOf(tileJSON.bounds) < FAR_ZOOM;
  const box = isFar && await import('./places.js').then(({ offerPlaces }) => offerPlaces(showAll)).catch(() => null);
  if (!isCurrent() || !map.isNew()) return;
  if (!box || !map.showBox(box)) map.show(tileJSON);
}
