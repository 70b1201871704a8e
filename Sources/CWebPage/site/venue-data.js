import { get } from './server.js';

// The venues of the library, and their places.

let venues = [];
const places = new Map();

const language = globalThis.navigator?.language?.split('-')[0] ?? 'en';

/// The language of names.
export const nameLanguage = () => language;

/// All venues, as far as they have been loaded.
export const knownVenues = () => venues;

/// The venue with an id; undefined if there is none.
export const venueWith = (id) => venues.find((venue) => venue.id === id);

/// Takes the list of venues that the server has sent.
export function setVenues(list) {
  venues = list;
  places.clear();
}

/// A place with its name in the reader's language.
const localized = (place) => ({ ...place, name: place.names[language] ?? place.name });

/// The places of a venue that a text finds, the best first.
export async function searchPlaces(venue, text, signal) {
  const { places: found } = await get(`v1/venues/${venue}/places`, { q: text }, signal);
  return found.map(localized);
}

/// All places of a venue, requested once.
export function placesOf(venue) {
  if (!places.has(venue)) {
    const request = get(`v1/venues/${venue}/places`).then(({ places: found }) => found.map(localized));
    request.catch(() => places.delete(venue));
    places.set(venue, request);
  }
  return places.get(venue);
}

/// The place of a venue with an id; undefined if it has none.
export const placeOf = async (venue, id) => (await placesOf(venue)).find((place) => place.id === id);

/// The place at a point of one of some levels; null if there is none.
export async function roomAt(venue, levels, { lon, lat }) {
  const point = { lon: lon.toFixed(7), lat: lat.toFixed(7) };
  const rooms = await Promise.all(levels.map(({ id }) => get(`v1/venues/${venue}/at`, { ...point, level: id })));
  return rooms.find(({ room }) => room)?.room ?? null;
}
