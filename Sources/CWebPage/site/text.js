/// A number as the reader's locale writes it.
const number = new Intl.NumberFormat();

/// A count with its noun: `1 track`, `2 tracks`.
export const counted = (count, noun) => number.format(count) + ' ' + noun + (count === 1 ? '' : 's');

/// A length in m or km.
export const distanceText = (metres) =>
  metres < 1000 ? Math.round(metres) + ' m' : (metres / 1000).toFixed(1) + ' km';

/// A speed, given in m/s, in km/h.
export const speedText = (speed) => (speed * 3.6).toFixed(speed < 2.7 ? 1 : 0) + ' km/h';

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
