extension Page {
    /// Days as `YYYY-MM-DD`, and the windows that one asks for.
    static let daysScript = #"""
        const DAY_MS = 86_400_000;
        const time = (day) => Date.parse(day + 'T00:00:00Z');
        const day = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);

        /// Today where the reader is.
        export function today() {
          const now = new Date();
          return day(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
        }

        /// So many days later.
        export const plusDays = (from, days) => day(time(from) + days * DAY_MS);

        /// So many years later; 29 February becomes the 28th where there is none.
        export function plusYears(from, years) {
          const [year, month, date] = from.split('-').map(Number);
          const last = new Date(Date.UTC(year + years, month, 0)).getUTCDate();
          return day(Date.UTC(year + years, month - 1, Math.min(date, last)));
        }

        /// Windows to choose at once, by name.
        export const windows = {
          all: () => ['', ''],
          year: () => [today().slice(0, 4) + '-01-01', today().slice(0, 4) + '-12-31'],
          twelve: () => [plusDays(plusYears(today(), -1), 1), ''],
          thirty: () => [plusDays(today(), -29), ''],
        };

        /// The window before (-1) or behind (1) one that has a beginning, as long as it is; years and months stay such.
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

        /// What a window may be compared with, by name: `FROM/TO`, or '' where the window has no ends for it.
        export const comparisons = {
          year(from, to) {
            if (!from && !to) return '';
            return (from && plusYears(from, -1)) + '/' + plusYears(to || today(), -1);
          },
          before: (from, to) => from ? neighbour(from, to, -1).join('/') : '',
        };

        /// A day as people write it.
        export const written = (text) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
          .format(time(text.slice(0, 10)));

        """#
}
