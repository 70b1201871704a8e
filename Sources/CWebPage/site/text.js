/// A number as the reader's locale writes it.
export const number = new Intl.NumberFormat();

/// A count with its noun: `1 track`, `2 tracks`.
export const counted = (count, noun) => number.format(count) + ' ' + noun + (count === 1 ? '' : 's');

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

/// A share, 0…1, in whole percent, after a space; '' if it is undefined.
export const percentText = (share) => share === undefined ? '' : ' ' + Math.floor(share * 100) + ' %';

/// Failures of an import that are shown with their reason.
const SHOWN_FAILURES = 3;

/// The result of an import in words, from the lines of its receipt: one object per file, and the totals.
export function importText(files, totals) {
  const parts = [counted(totals.tracks, 'new track'), counted(totals.points, 'new point')];
  if (totals.duplicates) parts.push(counted(totals.duplicates, 'point') + ' already stored');
  if (totals.failed) parts.push(counted(totals.failed, 'file') + ' failed');
  const failures = files.filter(({ error }) => error).map(({ file, error }) => file + ': ' + error);
  const shown = failures.slice(0, SHOWN_FAILURES);
  if (failures.length > shown.length) shown.push('and ' + counted(failures.length - shown.length, 'more file'));
  return 'Imported: ' + parts.join(', ') + '.' + shown.map((text) => ' ' + sentence(text)).join('');
}

/// A text with a full stop.
export const sentence = (text) => text + (/[.!?]$/.test(text) ? '' : '.');
