import { MAX_LATITUDE, wrapLongitude } from './mercator.js';

/// How much of a place the map shows, about its built-up area: kilometres from its centre to an edge of the view, which
/// grow with the square root of the inhabitants; the last number if these are not known.
const LEAST_KM = 1.5, MOST_KM = 40, KM_OF_ROOT = 0.012, UNKNOWN_KM = 2;
const KM_OF_DEGREE = 111.2;

/// A number of degrees, with a letter for its direction if it has one.
const DEGREES = String.raw`([-+−]?\d{1,3}(?:\.\d+)?)\s*°?\s*([NSEW]?)`;
const POSITION = new RegExp(String.raw`^\s*${DEGREES}\s*[,;\s]\s*${DEGREES}\s*$`, 'i');

/// The position in a text as other maps write it: latitude and longitude in degrees (`47.37, 8.54`), or with letters
/// (`47.37 N 8.54 E`). Returns { lon, lat }; null if it is none.
export function positionOf(text) {
  const found = POSITION.exec(text);
  if (!found) return null;
  const value = (digits, letter) => Number(digits.replace('−', '-')) * (/[SW]/i.test(letter) ? -1 : 1);
  const [, one, oneLetter, other, otherLetter] = found;
  // Both numbers have a letter, one of them for east or west; or neither has one.
  if (Boolean(oneLetter) !== Boolean(otherLetter)) return null;
  const isEast = (letter) => /[EW]/i.test(letter);
  if (oneLetter && isEast(oneLetter) === isEast(otherLetter)) return null;
  const pair = [value(one, oneLetter), value(other, otherLetter)];
  const [lat, lon] = isEast(oneLetter) ? pair.reverse() : pair;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : null;
}

/// The box [west, south, east, north] that shows a place of so many inhabitants.
export function boxAround({ lon, lat, population }) {
  const kilometres = population ? Math.min(MOST_KM, Math.max(LEAST_KM, KM_OF_ROOT * Math.sqrt(population))) : UNKNOWN_KM;
  const middle = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
  const north = kilometres / KM_OF_DEGREE, east = north / Math.cos(middle * Math.PI / 180);
  return [wrapLongitude(lon - east), middle - north, wrapLongitude(lon + east), middle + north];
}

/// Where a place is, in words: its region and its country, as `countryName` names it.
export function whereText({ name, region, country }, countryName) {
  return [region === name ? '' : region, countryName(country)].filter(Boolean).join(', ');
}
