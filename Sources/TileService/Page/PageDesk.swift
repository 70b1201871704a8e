extension Page {
    /// The player's desk: its keys, its slider and what it tells.
    static let deskScript = #"""
        import { byId, element, state } from './state.js';
        import { closeDays, dayIn, knownZone, libraryZone, listenToDays, openDays } from './calendar.js';
        import { written } from './days.js';

        /// Screen pixels of one bar of the density.
        const BAR_PIXELS = 3;
        const LINES = 500;
        const STEPS = 1000;

        let line = null, tracks = [], together = false, telling = 0, clock = null, clockZone = '';

        /// Shows which keys there are, and how they stand; without `isWhole`, whether it plays alone.
        export function showDesk({ isPlaying, isTrack, isHeated, isWhole }) {
          const player = byId('player');
          player.toggleAttribute('data-playing', isPlaying);
          byId('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
          byId('play').title = isPlaying ? 'Pause (space)' : 'Play (space)';
          if (!isWhole) return;
          player.hidden = !state.play;
          document.documentElement.toggleAttribute('data-replaying', Boolean(state.play));
          if (!state.play) closeDays();
          for (const id of ['day-before', 'day', 'day-behind', 'extent-row', 'order-row']) byId(id).hidden = isTrack;
          if (!isTrack && state.play) showDay(state.play);
          choose('speed', state.speed);
          choose('trail', state.trail);
          byId('extent').value = state.only;
          byId('order').value = state.together;
          byId('follow').checked = state.follow === '1';
          byId('under').checked = isHeated;
          drawDensity();
        }

        function showDay(day) {
          if (byId('day').dataset.day === day) return;
          byId('day').dataset.day = day;
          byId('day').textContent = written(day);
        }

        /// Chooses in a list what an address may have that the list has not.
        function choose(id, value) {
          const select = byId(id);
          if (![...select.options].some((option) => option.value === value)) {
            select.add(new Option(id === 'speed' ? value + ' ×' : value + ' s', value));
          }
          select.value = value;
        }

        /// Tells how the replay stands, for a while where one is given.
        export function tell(text, isLost = false, milliseconds = 0) {
          clearTimeout(telling);
          byId('player').toggleAttribute('data-lost', isLost);
          byId('play-state').textContent = text;
          if (milliseconds) telling = setTimeout(tell, milliseconds, '');
        }

        /// A stretch of time in words.
        export function lapse(milliseconds) {
          const minutes = Math.round(milliseconds / 60_000);
          if (minutes < 1) return Math.round(milliseconds / 1000) + ' s';
          if (minutes < 60) return minutes + ' min';
          if (minutes < 48 * 60) return Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
          return Math.round(minutes / 1440) + ' days';
        }

        // What is played

        /// Shows a manifest's tracks and their density.
        export function showPlayed(manifest, timeline, isTogether) {
          line = timeline;
          tracks = manifest.tracks;
          together = isTogether;
          drawDensity();
          const lines = tracks.slice(0, LINES).filter(({ start }) => start !== null).map((track) => {
            const facts = instantText(Math.max(track.start, manifest.density.from)) + ' · ' + distance(track.metres);
            const button = element('button', '', element('b', '', track.name || 'Track'), element('span', '', facts));
            button.type = 'button';
            Object.assign(button.dataset, { track: track.track, start: Math.max(track.start, manifest.density.from) });
            return element('li', '', button);
          });
          if (tracks.length > LINES) lines.push(element('li', 'rest', 'and ' + (tracks.length - LINES) + ' more'));
          byId('played').className = 'lines';
          byId('played').replaceChildren(...lines);
        }

        function drawDensity() {
          const canvas = byId('density'), { width, height } = canvas.getBoundingClientRect();
          if (!line || width < 1) return;
          const ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
          Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
          context.scale(ratio, ratio);
          const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name);
          const count = Math.floor(width / BAR_PIXELS), room = height - 7;
          context.fillStyle = color('--accent');
          context.globalAlpha = 0.5;
          line.bars(count).forEach((share, bar) => {
            const tall = share > 0 ? Math.max(1.5, Math.sqrt(share) * room) : 0;
            context.fillRect(bar * width / count, room - tall, width / count - 1, tall);
          });
          // Below: the tracks in turn, with a notch where a gap is left out.
          const at = (position) => position / Math.max(1, line.length) * width;
          line.stretches.forEach((stretch, index) => {
            const before = line.stretches[index - 1];
            const isNew = before && before.track !== stretch.track;
            const from = at(stretch.at) + (before ? 0.75 : 0), to = at(stretch.at + stretch.to - stretch.from);
            context.globalAlpha = !together && stretch.track % 2 ? 0.45 : 0.9;
            context.fillStyle = color('--faint');
            context.fillRect(from, height - 5, Math.max(0.5, to - from), 3);
            if (!isNew) return;
            context.globalAlpha = 0.35;
            context.fillRect(at(stretch.at), 0, 1, height - 2);
          });
        }

        // Where it is

        function clockText(instant) {
          if (!clock || clockZone !== libraryZone()) {
            clockZone = libraryZone();
            clock = new Intl.DateTimeFormat(undefined, {
              weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
              second: '2-digit', timeZone: knownZone(),
            });
          }
          return clock.format(instant);
        }

        const instantText = (instant) => new Intl.DateTimeFormat(undefined, {
          dateStyle: 'medium', timeStyle: 'short', timeZone: knownZone(),
        }).format(instant);

        const distance = (metres) => metres < 1000 ? Math.round(metres) + ' m' : (metres / 1000).toFixed(1) + ' km';

        /// Shows a position of the playing time.
        export function moveSlider({ position, length, instant }) {
          const slider = byId('slider'), share = length > 0 ? position / length : 0;
          slider.value = String(Math.round(share * STEPS));
          slider.style.setProperty('--passed', share * 100 + '%');
          const text = clockText(instant);
          slider.setAttribute('aria-valuetext', text);
          byId('clock').textContent = text;
          if (state.play !== 'track') showDay(dayIn(instant));
        }

        /// Shows what moves: where it is, on which track, how fast.
        export function showMoving(now) {
          moveSlider(now);
          const facts = [];
          if (now.count) facts.push(now.count.frames.toLocaleString() + ' of ' + now.count.points.toLocaleString() + ' points');
          if (!together) {
            if (now.metres !== undefined) facts.push(distance(now.metres));
            if (now.speed !== undefined) facts.push((now.speed * 3.6).toFixed(now.speed < 2.7 ? 1 : 0) + ' km/h');
          }
          const name = together ? tracks.length + (tracks.length === 1 ? ' track' : ' tracks') : now.track?.name || 'Track';
          if (byId('now-name').textContent !== name) byId('now-name').textContent = name;
          byId('now-facts').textContent = facts.join(' · ');
          if (now.color) byId('now-color').style.background = now.color;
          else byId('now-color').removeAttribute('style');
          // How many frames have come, and how many of them twice, to be looked at from outside.
          Object.assign(byId('player').dataset, { frames: now.frames, doubled: now.doubled });
          const current = byId('played').querySelector('[aria-current]');
          const id = now.track?.track;
          if (together || current?.dataset.track === id) return;
          current?.removeAttribute('aria-current');
          byId('played').querySelector('[data-track="' + CSS.escape(id ?? '') + '"]')?.setAttribute('aria-current', 'true');
        }

        // Keys

        /// Calls what the reader asks for: `toggle`, `aim`, `skip`, `seek`, `speed`, `changed`, `again`, `day`, `step`, `end`.
        export function listenToDesk(actions) {
          const on = (id, kind, take) => byId(id).addEventListener(kind, take);
          on('play', 'click', actions.toggle);
          on('player-end', 'click', actions.end);
          on('slider', 'input', () => actions.aim(Number(byId('slider').value) / STEPS));
          on('slider', 'change', () => actions.aim(Number(byId('slider').value) / STEPS, true));
          on('speed', 'change', () => actions.speed(byId('speed').value));
          on('follow', 'change', () => {
            state.follow = byId('follow').checked ? '1' : '0';
            actions.changed();
          });
          on('trail', 'change', () => {
            state.trail = byId('trail').value;
            actions.changed();
          });
          on('under', 'change', () => {
            state.under = byId('under').checked ? 'heat' : 'map';
            actions.changed();
          });
          on('extent', 'change', () => {
            state.only = byId('extent').value;
            actions.again();
          });
          on('order', 'change', () => {
            state.together = byId('order').value;
            actions.again();
          });
          on('more', 'click', () => {
            const isOpen = byId('ways').hidden;
            byId('ways').hidden = !isOpen;
            byId('more').setAttribute('aria-expanded', String(isOpen));
            byId('more').textContent = isOpen ? 'Less' : 'More';
          });
          on('day', 'click', () => byId('days').hidden ? openDays(byId('day').dataset.day) : closeDays());
          on('day-before', 'click', () => actions.step(-1));
          on('day-behind', 'click', () => actions.step(1));
          on('played', 'click', (event) => {
            const { start } = event.target.closest('button')?.dataset ?? {};
            if (start) actions.seek(Number(start));
          });
          listenToDays(actions.day);
          addEventListener('pointerdown', (event) => {
            if (!event.target.closest('#days, #day')) closeDays();
          });
          addEventListener('keydown', (event) => listenToKey(event, actions));
          addEventListener('resize', drawDensity);
        }

        function listenToKey(event, actions) {
          if (!state.play || event.ctrlKey || event.metaKey || event.altKey) return;
          const target = event.target instanceof Element ? event.target : document.body;
          const isSlider = target.id === 'slider';
          if (!isSlider && target.closest('input:not([type="checkbox"]), select, textarea, #days')) return;
          if (event.key === ' ') {
            // What is pressed by space goes on being so.
            if (target.closest('button, summary, a, input[type="checkbox"]')) return;
            actions.toggle();
          } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
            // The map moves by arrows itself.
            if (target.closest('#map')) return;
            actions.skip(event.key === 'ArrowLeft' ? -1 : 1);
          } else return;
          event.preventDefault();
        }

        """#
}
