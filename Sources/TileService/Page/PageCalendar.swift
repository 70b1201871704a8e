extension Page {
    /// The calendar: which days have tracks, and a month to choose one of them.
    static let calendarScript = #"""
        import { byId, element, state } from './state.js';
        import { get } from './server.js';
        import { plusDays } from './days.js';

        /// Shades of a day, by how much was recorded on it.
        const SHADES = 4;
        const numbers = new Intl.NumberFormat();
        const utc = (options) => new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
        const [monthName, weekday, whole] = [
          utc({ month: 'long', year: 'numeric' }), utc({ weekday: 'narrow' }), utc({ dateStyle: 'full' }),
        ];

        let years = new Map(), zone = 'UTC', shown = '', chosenDay = '', most = 1, dayZone = '', dayParts = null;

        /// Lets the next question ask the server again.
        export function forgetDays() {
          years = new Map();
        }

        /// The library's time zone, as far as it has been asked.
        export const libraryZone = () => zone;

        function year(number) {
          const key = state.layer + '/' + number;
          if (!years.has(key)) {
            const asked = get('v1/calendar', { year: number, layer: state.layer }).then((told) => {
              zone = told.tz;
              most = Math.max(most, ...told.days.map(({ points }) => points));
              return { ...told, byDay: new Map(told.days.map((day) => [day.day, day])) };
            });
            years.set(key, asked);
            // What failed is asked again.
            asked.catch(() => years.delete(key));
          }
          return years.get(key);
        }

        /// The day of an instant, in milliseconds, in the library's zone, as far as it is known.
        export function dayIn(instant) {
          if (dayZone !== knownZone()) {
            dayZone = knownZone();
            dayParts = new Intl.DateTimeFormat('en', { timeZone: dayZone, year: 'numeric', month: '2-digit', day: '2-digit' });
          }
          const parts = dayParts.formatToParts(instant);
          const part = (name) => parts.find(({ type }) => type === name).value;
          return [part('year').padStart(4, '0'), part('month'), part('day')].join('-');
        }

        /// Asks for the library's zone, if it is not known yet.
        export const askZone = () => year(new Date().getUTCFullYear());

        /// A time zone that this browser knows: the library's, or else UTC.
        export function knownZone(name = zone) {
          try {
            new Intl.DateTimeFormat('en', { timeZone: name });
            return name;
          } catch {
            return 'UTC';
          }
        }

        /// What was recorded on a day, or undefined.
        export const recordedOn = async (day) => (await year(Number(day.slice(0, 4)))).byDay.get(day);

        /// The next day with tracks before (-1) or behind (1) a day; null where there is none.
        export async function dayNextTo(day, direction) {
          let told = await year(Number(day.slice(0, 4)));
          // A year that tells of another one may have lost its days meanwhile; then that one tells further.
          while (told) {
            const days = direction < 0 ? told.days.filter((other) => other.day < day).reverse()
              : told.days.filter((other) => other.day > day);
            if (days.length > 0) return days[0].day;
            const other = direction < 0 ? told.previous : told.next;
            if (!other) return null;
            told = await year(Number(other.slice(0, 4)));
          }
          return null;
        }

        /// The last day with tracks; null where there is none.
        export const lastDay = () => dayNextTo('9990-12-31', -1);

        // The month

        /// Lets a day be chosen in the box `days`; `chosen` is called with it.
        export function listenToDays(chosen) {
          const box = byId('days');
          box.addEventListener('click', (event) => {
            const { day, month } = event.target.closest('button')?.dataset ?? {};
            if (month) showMonth(month);
            else if (day) {
              closeDays();
              byId('day').focus();
              chosen(day);
            }
          });
          box.addEventListener('keydown', (event) => {
            const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
            const from = document.activeElement?.dataset.day;
            if (event.key === 'Escape') {
              closeDays();
              byId('day').focus();
            } else if (steps[event.key] && from) {
              event.preventDefault();
              focusFrom(from, steps[event.key]);
            } else return;
            event.stopPropagation();
          });
        }

        /// The nearest day with tracks in a direction has the focus; one in another month, too.
        async function focusFrom(day, step) {
          const wanted = plusDays(day, step);
          const has = wanted.slice(0, 7) === day.slice(0, 7) && byId('days').querySelector('[data-day="' + wanted + '"]:enabled');
          const next = has ? wanted : await dayNextTo(step < 0 ? plusDays(wanted, 1) : plusDays(wanted, -1), Math.sign(step));
          if (!next) return;
          await showMonth(next.slice(0, 7));
          byId('days').querySelector('[data-day="' + next + '"]')?.focus();
        }

        /// Opens the month of a day.
        export async function openDays(day) {
          chosenDay = day;
          byId('days').hidden = false;
          byId('day').setAttribute('aria-expanded', 'true');
          await showMonth(day.slice(0, 7));
          byId('days').querySelector('[aria-pressed="true"], [data-day]:enabled')?.focus();
        }

        /// Closes it.
        export function closeDays() {
          byId('days').hidden = true;
          byId('day').setAttribute('aria-expanded', 'false');
        }

        const monthsFrom = (month, count) => {
          const [number, index] = month.split('-').map(Number);
          return new Date(Date.UTC(number, index - 1 + count, 1)).toISOString().slice(0, 7);
        };

        async function showMonth(month) {
          shown = month;
          const told = await year(Number(month.slice(0, 4)));
          // Another one was asked for meanwhile.
          if (month !== shown) return;
          const first = new Date(month + '-01T00:00:00Z');
          const turn = (text, label, count) => {
            const button = element('button', '', text);
            Object.assign(button, { type: 'button' });
            button.dataset.month = monthsFrom(month, count);
            button.setAttribute('aria-label', label);
            return button;
          };
          const focused = document.activeElement?.getAttribute('aria-label');
          const title = element('p', '', monthName.format(first));
          title.setAttribute('aria-live', 'polite');
          const head = element('div', 'turn', turn('«', 'A year back', -12), turn('‹', 'A month back', -1), title,
            turn('›', 'A month on', 1), turn('»', 'A year on', 12));
          // 2024 began on a Monday.
          const names = Array.from({ length: 7 }, (_, day) => element('span', '', weekday.format(Date.UTC(2024, 0, 1 + day))));
          const blanks = Array.from({ length: (first.getUTCDay() + 6) % 7 }, () => element('span'));
          const days = [];
          for (let day = month + '-01'; day.startsWith(month); day = plusDays(day, 1)) days.push(dayButton(day, told.byDay.get(day)));
          const box = byId('days');
          box.replaceChildren(head, element('div', 'month', ...names, ...blanks, ...days));
          if (focused) [...head.querySelectorAll('button')].find((button) => button.ariaLabel === focused)?.focus();
        }

        function dayButton(day, recorded) {
          const button = element('button', '', String(Number(day.slice(8))));
          button.type = 'button';
          button.dataset.day = day;
          button.disabled = !recorded;
          button.setAttribute('aria-pressed', String(day === chosenDay));
          if (!recorded) return button;
          const shade = Math.ceil(Math.sqrt(recorded.points / most) * SHADES);
          button.dataset.shade = String(Math.min(SHADES, Math.max(1, shade)));
          const facts = [whole.format(Date.parse(day)), numbers.format(recorded.tracks) + (recorded.tracks === 1 ? ' track' : ' tracks'),
            numbers.format(Math.round(recorded.metres / 100) / 10) + ' km'];
          button.title = facts.slice(1).join(', ');
          button.setAttribute('aria-label', facts.join(', '));
          return button;
        }

        """#
}
