const DAY_MS = 86_400_000;
const time = (day) => Date.parse(day + 'T00:00:00Z');
const day = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);

/// Today in the reader's time zone.
export function today() {
  const now = new Date();
  return day(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

/// The day so many days after another one.
export const plusDays = (from, days) => day(time(from) + days * DAY_MS);

/// The day so many years after another one; 29 February becomes 28 February if necessary.
export function plusYears(from, years) {
  const [year, month, date] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year + years, month, 0)).getUTCDate();
  return day(Date.UTC(year + years, month - 1, Math.min(date, last)));
}

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
  if (date === 1 && end === day(Date.UTC(year, month, 0))) {
    const first = Date.UTC(year, month - 1 + direction, 1);
    return [day(first), day(Date.UTC(year, month + direction, 0))];
  }
  const days = Math.max(1, Math.round((time(end) - time(from)) / DAY_MS) + 1);
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
export const dateText = (text) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  .format(time(text.slice(0, 10)));
