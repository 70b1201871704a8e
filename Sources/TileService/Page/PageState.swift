extension Page {
    /// What is shown, and where it is kept.
    static let stateScript = #"""
        /// An element of the document.
        export const byId = (id) => document.getElementById(id);

        /// What is shown where nothing is said. `back` is what an address had before a single track was chosen; `play` is the
        /// day from which tracks are played, or `track`.
        const usual = {
          style: 'heat', layer: 'all', from: '', to: '', minus: '', ramp: '', span: '', track: '', back: '',
          ground: '', grid: '1', play: '', only: '', together: '', at: '', speed: '60', trail: '0', follow: '1', under: '', live: '',
        };
        /// What is shown. All of it stands in the address, so that a view can be kept, sent and come back to.
        export const state = { ...usual };

        /// What the server has, as far as it has been asked; the revision as `?v=` names it.
        export const known = { styles: [], revision: undefined };
        /// What the server says of the style shown; a style of heat as long as it says nothing.
        export const styleShown = () =>
          known.styles.find(({ name }) => name === state.style) || { kind: 'heat', takesRamp: true };

        const day = /^\d{4}-\d\d-\d\d$/;
        const among = (...words) => (text) => words.includes(text);
        const checks = {
          from: (text) => day.test(text), to: (text) => day.test(text),
          minus: (text) => text.split('/').length === 2 && text.split('/').every((end) => !end || day.test(end)),
          span: among('window'), ground: among('light', 'grey', 'dark'), grid: among('0', '1'),
          play: (text) => text === 'track' || day.test(text), only: among('1'), together: among('1'), follow: among('0', '1'),
          at: (text) => Number.isFinite(Date.parse(text)), trail: (text) => /^\d{1,7}$/.test(text), under: among('heat', 'map'),
          speed: (text) => text === 'max' || Number(text) >= 0.1 && Number(text) <= 100_000, live: among('1'),
        };

        /// Takes what the address says; gives the view, [zoom level, latitude, longitude], if it has one.
        export function readAddress() {
          const parameters = new URLSearchParams(location.hash.slice(1));
          for (const name of Object.keys(usual)) {
            const text = parameters.get(name);
            state[name] = text && (checks[name] || Boolean)(text) ? text : usual[name];
          }
          const view = (parameters.get('map') || '').split('/').map(Number);
          return view.length === 3 && view.every(Number.isFinite) ? view : null;
        }

        /// Writes what is shown into the address; `center` is left out as long as the map shows nothing.
        export function writeAddress(zoom, center) {
          const parts = [];
          if (center) parts.push('map=' + [zoom, center.lat.toFixed(5), center.lng.toFixed(5)].join('/'));
          for (const [name, text] of Object.entries(state)) {
            if (text !== usual[name]) parts.push(name + '=' + encodeURIComponent(text).replace(/%2F/g, '/'));
          }
          history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.pathname + location.search);
        }

        /// What a tile depends on besides its place and its style.
        const picturing = ['layer', 'from', 'to', 'minus', 'ramp', 'span', 'track'];
        /// What the tracks at a place depend on.
        export const choosing = ['layer', 'from', 'to'];
        /// What a legend depends on.
        export const coloring = ['layer', 'from', 'to', 'minus', 'ramp', 'span'];

        /// The parameters named that are not as usual, with `more`, to be asked for.
        export function query(names = picturing, more = {}) {
          const parameters = { ...more };
          for (const name of names) if (state[name] !== usual[name]) parameters[name] = state[name];
          // Of a single track one wants to see where it leads.
          if (names === picturing && state.track && !state.track.includes(',')) parameters.marks = '1';
          return parameters;
        }

        const notices = new Map();

        /// Tells something on the page, one text a source, until the source says something else or ''.
        export function say(source, text) {
          if (text) notices.set(source, text);
          else notices.delete(source);
          const whole = [...new Set(notices.values())].join(' ');
          const notice = byId('notice');
          notice.hidden = !whole;
          if (notice.textContent !== whole) notice.textContent = whole;
        }

        /// An element with a class and children.
        export function element(name, className, ...children) {
          const made = document.createElement(name);
          if (className) made.className = className;
          made.append(...children);
          return made;
        }

        """#
}
