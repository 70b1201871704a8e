import { dateText, daysText } from './days.js';

/// The text of the colour for tracks without a value, in legends of steps.
const UNKNOWN = 'unknown';

/// The entries of a legend: `row`, colours of steps that are shown side by side, and `list`, colours with a name of
/// their own below them.
export function legendParts({ entries }) {
  const counted = entries.filter((entry) => entry.from !== undefined);
  const named = entries.filter((entry) => entry.from === undefined);
  const isSteps = counted.length === 0 && named.at(-1)?.text === UNKNOWN;
  const row = counted.length > 0 ? counted : isSteps ? named.slice(0, -1) : [];
  return { row, list: named.filter((entry) => !row.includes(entry)), isCounted: counted.length > 0 };
}

/// The title of a legend; `minus` is the period `FROM/TO` that is compared with, or ''.
export function legendTitle({ title, unit }, isCounted, minus) {
  if (!isCounted) return unit && unit !== 'person-days' ? title + ', ' + unit : title;
  return minus ? 'Days visited, two periods compared' : 'Days visited';
}

/// When a period is, in words: a whole year by its number, else its days.
function periodText(from, to) {
  if (Boolean(from) !== Boolean(to)) return daysText(from, to);
  const isYear = from.endsWith('-01-01') && to === from.slice(0, 4) + '-12-31';
  return 'in ' + (isYear ? Number(from.slice(0, 4)) : from && from === to ? dateText(from) : daysText(from, to));
}

/// The texts for the two halves of a legend of differences: the first one is for the period `minus`, `FROM/TO`.
export const halfTexts = (minus, { from, to }) =>
  [minus.split('/'), [from, to]].map((period) => 'More days ' + periodText(...period));

/// The labels below a row of colours: of the first, the middle and the last one.
export function rowLabels(row) {
  const texts = row.map(({ text }) => text);
  // Periods are too long to be shown three times: the first and the last day of all of them.
  return texts[0].includes(' – ') ? [texts[0].split(' – ')[0], texts.at(-1).split(' – ').at(-1)]
    : [...new Set([texts[0], texts[texts.length >> 1], texts.at(-1)])];
}

/// Whether a ramp can be used: ramps for differences only when periods are compared, others only when they are not.
export const rampFits = (ramp, minus) => (ramp.for === 'differences') === Boolean(minus);
