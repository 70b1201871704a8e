/// A number as the reader's locale writes it.
export const number = new Intl.NumberFormat();

/// A count with its noun: `1 track`, `2 tracks`.
export const counted = (count, noun) => number.format(count) + ' ' + noun + (count === 1 ? '' : 's');

/// A text that begins with a capital letter.
export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/// A text with a full stop.
export const sentence = (text) => text + (/[.!?]$/.test(text) ? '' : '.');

/// What is shown instead of a track that the server does not know.
export const NO_SUCH_TRACK = 'This track does not exist, or was removed.';

/// From so many kilometres or miles on, distances have no decimals.
const MAX_DECIMAL = 1000;
const METRES_PER_FOOT = 0.3048, METRES_PER_MILE = 1609.344;
/// Regions whose roads and maps measure in miles and feet.
const IMPERIAL_REGIONS = ['US', 'GB', 'LR', 'MM'];

let imperial = false;

/// The units of a locale such as `en-US`: `imperial` or `metric`.
export const unitsOf = (locale) =>
  IMPERIAL_REGIONS.includes(new Intl.Locale(locale).maximize().region) ? 'imperial' : 'metric';
/// Sets the units of all texts.
export function setUnits(units) {
  imperial = units === 'imperial';
}
/// Whether texts are in miles and feet.
export const isImperial = () => imperial;

const digits = (value, count) => value.toLocaleString(undefined, {
  minimumFractionDigits: count, maximumFractionDigits: count,
});

/// A length in m or km, or in feet or miles.
export function distanceText(metres) {
  const large = imperial ? METRES_PER_MILE : 1000;
  if (metres < (imperial ? large / 10 : large)) return heightText(metres);
  return digits(metres / large, metres < MAX_DECIMAL * large ? 1 : 0) + (imperial ? ' mi' : ' km');
}

/// A height in m or feet.
export const heightText = (metres) =>
  digits(Math.round(metres / (imperial ? METRES_PER_FOOT : 1)) + 0, 0) + (imperial ? ' ft' : ' m');

/// A speed, given in m/s, in km/h or miles per hour.
export const speedText = (speed) =>
  digits(speed * (imperial ? 3600 / METRES_PER_MILE : 3.6), speed < 2.7 ? 1 : 0) + (imperial ? ' mph' : ' km/h');

/// A duration in s, min, h or days.
export function durationText(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return Math.round(milliseconds / 1000) + ' s';
  if (minutes < 60) return minutes + ' min';
  if (minutes < 48 * 60) return Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
  return Math.round(minutes / 1440) + ' days';
}

/// A longitude or latitude with its direction, which has one letter for positive and one for negative numbers.
export const degreesText = (degrees, digits, positive, negative) =>
  Math.abs(degrees).toFixed(digits) + '° ' + (degrees < 0 ? negative : positive);

/// A share, 0…1, in whole percent, after a space; '' if it is undefined.
export const percentText = (share) => share === undefined ? '' : ' ' + Math.floor(share * 100) + ' %';

let regionNames = null;

/// The name of a country, given by its code such as `CH`, in the reader's language; undefined if the browser does not
/// know it.
export function countryName(code) {
  try {
    regionNames ||= new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });
    return regionNames.of(code);
  } catch {
    // The code of something else, or a browser without names.
    return undefined;
  }
}
