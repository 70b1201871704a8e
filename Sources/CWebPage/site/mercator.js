/// Web Mercator ends at this latitude.
export const MAX_LATITUDE = 85.0511;

/// The position of [longitude, latitude] in the square of the world, 0…1 from the north-west corner.
export function worldPoint([longitude, latitude]) {
  const sine = Math.sin(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/// The latitude of a position from the north, 0…1, in the square of the world.
export const latitudeOf = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

/// A longitude as one from -180 on and below 180.
export const wrapLongitude = (longitude) => ((longitude + 180) % 360 + 360) % 360 - 180;

/// A box [west, south, east, north] as the corners [[south, west], [north, east]]; a box with west > east crosses 180°
/// and goes on east of it.
export const corners = ([west, south, east, north]) => [[south, west], [north, west > east ? east + 360 : east]];

/// A longitude in the copy of the world in which it is nearest to another one.
export const nearestLongitude = (longitude, other) => longitude + Math.round((other - longitude) / 360) * 360;
