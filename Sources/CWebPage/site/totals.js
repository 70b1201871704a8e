/// The last year that is looked for.
const LAST_YEAR = 9990;

const nothing = () => ({ metres: 0, seconds: 0, points: 0, days: 0 });

/// The sum of the days of a calendar from `from` to `to`, both inclusive; '' means unlimited.
export function sumOfDays(days, { from, to }) {
  return days.filter(({ day }) => (!from || day >= from) && (!to || day <= to)).reduce((sum, day) => ({
    metres: sum.metres + day.metres, seconds: sum.seconds + day.seconds, points: sum.points + day.points,
    days: sum.days + 1,
  }), nothing());
}

/// All years from the first to the last of some sums, ascending, with their metres.
export function metresByYear(years) {
  const found = new Map(years.map(({ year, metres }) => [year, metres])), numbers = [...found.keys()];
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: last - first + 1 }, (_, index) => [first + index, found.get(first + index) ?? 0]);
}

/// The sums of the years with tracks in a period, newest first, and of all of them. `loadYear` returns the calendar of a
/// year, and `isWanted` whether to go on.
export async function sumOfYears(loadYear, period, isWanted = () => true) {
  const years = [], all = nothing();
  let number = period.to ? Number(period.to.slice(0, 4)) : LAST_YEAR;
  while (isWanted()) {
    const year = await loadYear(number);
    const sum = sumOfDays(year.days, period);
    if (sum.days > 0) years.push({ year: number, ...sum });
    for (const name of Object.keys(all)) all[name] += sum[name];
    if (!year.previous || period.from && year.previous < period.from) break;
    number = Number(year.previous.slice(0, 4));
  }
  return { years, all };
}
