extension Page {
    /// What the colours stand for, and which there are to choose from.
    static let colorsScript = #"""
        import { byId, coloring, element, query, state, styleShown } from './state.js';
        import { address, get } from './server.js';
        import { written } from './days.js';

        /// The deepest zoom level with counts of its own.
        const DEEPEST_COUNTED = 16;

        /// How the last colour of steps is called: what is shown by it has none.
        const UNKNOWN = 'not known';

        let told = null;

        /// Lets the next `showLegend` ask again.
        export function forgetLegend() {
          told = null;
        }

        /// Tells what the colours stand for at a zoom level.
        export async function showLegend(zoom) {
          const path = 'legend/' + encodeURIComponent(state.style) + '.json';
          const parameters = query(coloring, { z: Math.min(zoom, DEEPEST_COUNTED) });
          const wanted = address(path, parameters);
          if (wanted === told) return;
          told = wanted;
          try {
            const legend = await get(path, parameters);
            if (wanted !== told) return;
            const counted = legend.entries.filter((entry) => entry.from !== undefined);
            const named = legend.entries.filter((entry) => entry.from === undefined);
            // Many steps of one thing are a row; what has a name of its own stands below it.
            const isRow = counted.length === 0 && named.at(-1)?.text === UNKNOWN;
            const row = counted.length > 0 ? counted : isRow ? named.slice(0, -1) : [];
            showRow(row, counted.length > 0 ? 'days' : legend.unit || '');
            showNamed(named.filter((entry) => !row.includes(entry)));
            byId('legend-title').textContent = title(counted.length > 0, legend);
            // One colour with one meaning is told by the style's name.
            byId('legend').hidden = legend.entries.length < 2;
          } catch {
            if (wanted === told) told = null;
            byId('legend').hidden = true;
          }
        }

        function title(isCounted, legend) {
          if (!isCounted) return legend.unit && legend.unit !== 'person-days' ? legend.title + ', ' + legend.unit : legend.title;
          if (!state.minus) return 'Days somebody was there';
          const [from, to] = state.minus.split('/');
          const ends = from && to ? written(from) + ' – ' + written(to)
            : from ? 'since ' + written(from) : 'until ' + written(to);
          return 'Days more or fewer than ' + ends;
        }

        /// Colours in a row, with the words of the first, the middle and the last.
        function showRow(entries, unit) {
          const ramp = byId('ramp');
          ramp.hidden = byId('counts').hidden = entries.length === 0;
          if (entries.length === 0) return;
          ramp.replaceChildren(...entries.map(({ color, text }) => {
            const swatch = element('i');
            swatch.style.background = color;
            swatch.title = text;
            return swatch;
          }));
          ramp.setAttribute('aria-label', 'From ' + entries[0].text + ' to ' + entries.at(-1).text + ' ' + unit);
          const texts = entries.map(({ text }) => text);
          // Two days are too long to stand three times in a row: the first and the last of all will do.
          const marks = texts[0].includes(' – ') ? [texts[0].split(' – ')[0], texts.at(-1).split(' – ').at(-1)]
            : [...new Set([texts[0], texts[texts.length >> 1], texts.at(-1)])];
          byId('counts').replaceChildren(...marks.map((text) => element('span', '', text)));
        }

        /// Colours with words, one below the other.
        function showNamed(entries) {
          byId('colors').hidden = entries.length === 0;
          byId('colors').replaceChildren(...entries.map(({ color, text }) => {
            const swatch = element('i');
            swatch.style.background = color;
            return element('li', '', swatch, text);
          }));
        }

        // Ramps

        const grounds = { any: 'For any ground', dark: 'For dark grounds', light: 'For light grounds' };
        let ramps = [];

        /// Takes the server's ramps.
        export async function loadRamps() {
          ramps = await get('ramps');
        }

        const fits = (ramp) => ramp.for === 'differences' ? Boolean(state.minus) : ramp.for in grounds && !state.minus;

        /// Leaves what cannot be shown: lines have no differences, some styles no ramp, and counts, other than differences,
        /// no middle.
        export function checkColors() {
          const style = styleShown();
          if (style.kind !== 'heat') state.minus = state.span = '';
          if (!style.takesRamp) state.ramp = '';
          const chosen = ramps.find(({ name }) => name === state.ramp);
          if (chosen && !fits(chosen)) state.ramp = '';
        }

        /// Shows the ramps that fit, as the state has them; `changed` is called when another is chosen.
        export function showRamps(changed) {
          const parts = [choice('', 'as the style has it', null, changed)];
          for (const ground of [...Object.keys(grounds), 'differences']) {
            const some = ramps.filter((ramp) => ramp.for === ground && fits(ramp));
            if (some.length === 0) continue;
            if (grounds[ground]) parts.push(element('p', '', grounds[ground]));
            parts.push(...some.map((ramp) => choice(ramp.name, ramp.name, ramp.colors, changed)));
          }
          const focused = document.activeElement && document.activeElement.name === 'ramp';
          byId('ramps').replaceChildren(...parts);
          if (focused) byId('ramps').querySelector(':checked')?.focus();
        }

        function choice(name, text, colors, changed) {
          const radio = element('input');
          Object.assign(radio, { type: 'radio', name: 'ramp', value: name, checked: state.ramp === name });
          radio.addEventListener('change', () => {
            state.ramp = name;
            changed();
          });
          const bar = element('i');
          if (colors) bar.style.background = 'linear-gradient(to right, ' + colors.join(', ') + ')';
          return element('label', colors ? 'ramp' : 'ramp plainly', radio, bar, element('span', '', text));
        }

        """#
}
