// The stops of a way, as they are in the URL: the id of a place, `LON,LAT,LEVEL`, or `category:NAME` for the nearest.

const CATEGORY = 'category:';
const MAX_STOPS_BETWEEN = 6;

const isPlace = (text) => /^[0-9a-f]{32}$/.test(text);
const isCategory = (text) => /^category:[a-z.]{1,40}$/.test(text);

/// The point of a stop, { lon, lat, level }; null if it is none. Without a level it is outdoors, or its level is not known.
export function pointOf(text) {
  const [lon, lat, level, ...more] = text.split(',');
  const isDegrees = (value, limit) => /^-?\d{1,3}(\.\d+)?$/.test(value ?? '') && Math.abs(Number(value)) <= limit;
  if (!isDegrees(lon, 180) || !isDegrees(lat, 90) || more.length > 0) return null;
  return { lon: Number(lon), lat: Number(lat), ...level ? { level } : {} };
}

/// The text of a point.
export const pointText = ({ lon, lat, level }) =>
  [lon.toFixed(7), lat.toFixed(7), level].filter((part) => part !== undefined && part !== null).join(',');

/// The stops between of a text such as `ID;LON,LAT`.
export const stopsBetween = (text) => text.split(';').filter(Boolean);

/// Whether one more stop between may be added.
export const hasRoom = (stops) => stops.length < MAX_STOPS_BETWEEN;

/// The stop at the nearest place of a category.
export const categoryStop = (category) => CATEGORY + category;

/// The category of a stop; '' if it is no category.
export const stopCategory = (text) => isCategory(text) ? text.slice(CATEGORY.length) : '';

/// The body of a request for a way.
export function wayRequest({ venue, origin, destination, via, profile }) {
  const stop = (text) => isPlace(text) ? { place: text } : pointOf(text) ?? { category: stopCategory(text) };
  const between = stopsBetween(via);
  return {
    ...venue ? { venue } : {}, from: stop(origin), ...between.length > 0 ? { via: between.map(stop) } : {},
    to: stop(destination), ...profile ? { profile } : {},
  };
}

/// The text of a stop as the server's lists have it: a text, or { place }, { lon, lat, level } or { category }.
export function textOfStop(stop) {
  if (typeof stop === 'string') return stop;
  if (stop.place) return stop.place;
  return stop.category ? categoryStop(stop.category) : pointText(stop);
}
