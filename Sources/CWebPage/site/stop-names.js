import { categoryText, floorsOf, floorWith, placeTitle, whereText } from './venue-text.js';
import { placeOf, venueWith } from './venue-data.js';
import { pointOf, stopCategory } from './stops.js';

/// What a stop of a way in a venue is called.
export async function stopText(venue, stop) {
  if (!stop) return '';
  const category = stopCategory(stop), point = pointOf(stop);
  if (category) return 'Nearest ' + categoryText(category).toLowerCase();
  const known = venueWith(venue);
  if (point) {
    const floors = known ? floorsOf(known) : [];
    const floor = floorWith(floors, point.level) ?? floors.find(({ ordinal }) => String(ordinal) === point.level);
    return `Point on the map${floor ? ', ' + floor.name : ''}`;
  }
  const place = known && await placeOf(venue, stop).catch(() => undefined);
  return place ? [placeTitle(place), whereText(known, place)].filter(Boolean).join(', ') : 'A place';
}
