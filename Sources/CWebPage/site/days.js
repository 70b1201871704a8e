export const DAY_MS = 86_400_000;

/// The instant, in milliseconds, at which a day `YYYY-MM-DD` begins in UTC.
export const utcTime = (day) => Date.parse(day + 'T00:00:00Z');

/// The day of an instant in UTC.
export const utcDay = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);

/// A format for days and months, given by instants in UTC, in the reader's locale.
export const utcFormat = (options) => new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });

/// Today in the reader's time zone.
export function today() {
  const now = new Date();
  return utcDay(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

/// The day so many days after another one.
export const plusDays = (from, days) => utcDay(utcTime(from) + days * DAY_MS);

/// The day so many years after another one; 29 February becomes 28 February if necessary.
export function plusYears(from, years) {
  const [year, month, date] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year + years, month, 0)).getUTCDate();
  return utcDay(Date.UTC(year + years, month - 1, Math.min(date, last)));
}

/// The weekday of a day: 0 is Monday, 6 is Sunday.
export const weekdayOf = (day) => (new Date(utcTime(day)).getUTCDay() + 6) % 7;

/// Periods with a button of their own, by name: [first day, last day]; '' means unlimited.
export const periods = {
  all: () => ['', ''],
  year: () => [today().slice(0, 4) + '-01-01', today().slice(0, 4) + '-12-31'],
  twelve: () => [plusDays(plusYears(today(), -1), 1), ''],
  thirty: () => [plusDays(today(), -29), ''],
};

/// The period of the same length before (-1) or after (1) another one, which must have a first day. Whole years and
/// months stay whole.
export function neighbour(from, to, direction) {
  const end = to || today();
  if (from.endsWith('-01-01') && end === from.slice(0, 4) + '-12-31') {
    return [plusYears(from, direction), plusYears(end, direction)];
  }
  const [year, month, date] = from.split('-').map(Number);
  if (date === 1 && end === utcDay(Date.UTC(year, month, 0))) {
    const first = Date.UTC(year, month - 1 + direction, 1);
    return [utcDay(first), utcDay(Date.UTC(year, month + direction, 0))];
  }
  const days = Math.max(1, Math.round((utcTime(end) - utcTime(from)) / DAY_MS) + 1);
  return [plusDays(from, direction * days), plusDays(end, direction * days)];
}

/// Periods to compare with, by name: `FROM/TO`, or '' if the current period has no such ends.
export const comparisons = {
  year(from, to) {
    if (!from && !to) return '';
    return (from && plusYears(from, -1)) + '/' + plusYears(to || today(), -1);
  },
  before: (from, to) => from ? neighbour(from, to, -1).join('/') : '',
};

/// A day in the reader's locale.
export const dateText = (text) => utcFormat({ dateStyle: 'medium' }).format(utcTime(text.slice(0, 10)));

/// The days from one to another in words; '' means unlimited.
export function daysText(from, to) {
  if (!from && !to) return 'all time';
  if (!to) return 'since ' + dateText(from);
  if (!from) return 'until ' + dateText(to);
  return dateText(from) + ' – ' + dateText(to);
}
