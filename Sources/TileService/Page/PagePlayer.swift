extension Page {
    /// The player: plays what the state says, one stream at a time.
    static let playerScript = #"""
        import { state } from './state.js';
        import { follow } from './stream.js';
        import { makeTimeline } from './timeline.js';
        import { askZone, dayIn } from './calendar.js';
        import * as map from './map.js';
        import { heatStyle, hideHeat, pass, showHeat, wholly } from './heat.js';
        import { daysPlayed, isHeated, isTogether, isTrack, lookUp, pace, path, scope } from './program.js';
        import { askPast } from './past.js';
        import { lapse, moveSlider, showDesk, showPlayed, showMoving, tell } from './desk.js';

        const KINDS = ['start', 'track', 'frame', 'gap', 'mark', 'track-end', 'end', 'reset'];
        /// What an arrow key skips, in seconds of the reader's time, and of the tracks' where every point is played.
        const SKIP_SECONDS = 5, SKIP_POINTS_SECONDS = 60;
        const ADDRESS_MS = 1000, AIM_MS = 150, GAP_MS = 3000;

        let dots = null, began = null, stream = null, cursor = null, manifest = null, line = null;
        let isPlaying = false, isOver = false, isPeeking = false, wantsView = false, prepared = 0, prepares = '';
        let base = 0, sought, now = null, aimed = null, aimTimer = 0, wasPlaying = false, isWaiting = false, written = 0;
        let isFromBeginning = false, isEager = false, endPast = () => {};
        let seen = new Map(), names = new Map(), frames = 0, doubled = 0;

        /// Whether there is a replay.
        export const isReplaying = () => Boolean(state.play);

        // What is to be played

        /// Takes up what the state says; begins at once if `plays`.
        export async function showReplay({ plays = false, view = false } = {}) {
          if (!state.play || (isTrack() && (!state.track || state.track.includes(',')))) {
            close();
            return;
          }
          const wanted = [state.play, isTrack() ? state.track : state.layer, state.only, state.together].join();
          if (wanted === prepares && !view) {
            restyle();
            return;
          }
          const own = prepared += 1;
          prepares = wanted;
          isEager = false;
          began();
          stop();
          clear();
          manifest = line = now = null;
          wantsView = view;
          seen = new Map();
          isOver = false;
          restyle();
          tell('Looking up the tracks …');
          try {
            const [found] = await Promise.all([lookUp(() => own === prepared), askZone()]);
            if (own !== prepared) return;
            take(found);
          } catch (error) {
            if (own === prepared) fail(error);
            return;
          }
          if (line.stretches.length === 0) {
            tell('Nothing to play: no point carries a time.');
            return;
          }
          tell('');
          sought = state.at ? Date.parse(state.at) : undefined;
          now = { instant: sought ?? line.at(0).instant };
          if (plays || isEager) play();
          else peek();
        }

        function take(found) {
          manifest = found;
          line = makeTimeline(found, isTogether());
          names = new Map(found.tracks.map((track) => [track.track, track]));
          showPlayed(found, line, isTogether());
        }

        /// Takes up that the tracks have changed; what is gone is played no further.
        export async function renew() {
          if (!line) return;
          const own = prepared;
          try {
            const found = await lookUp(() => own === prepared);
            if (!found || own !== prepared || !line) return;
            take(found);
            wholly();
            if (now.track && !names.has(now.track)) seek(now.instant);
            else wake();
          } catch (error) {
            // One that does not answer now is asked again with the next change.
            if (own === prepared && error.status === 404) fail(error);
          }
        }

        function fail(error) {
          stop();
          prepares = '';
          tell(error.status === 404 && isTrack() ? 'There is no such track, or no longer.' : error.message);
        }

        // Playing

        /// Plays on from where it stands.
        export function play() {
          if (!line || isPlaying) return;
          if (isPeeking) stop();
          if (isOver) {
            isOver = false;
            cursor = null;
            sought = undefined;
            seen = new Map();
            clear();
            wholly();
          }
          const parameters = { ...scope(), ...pace() }, key = path() + JSON.stringify(parameters);
          // The same query goes on behind the last event; another one from its instant.
          if (cursor?.key !== key || !cursor.last) {
            const seek = cursor ? now.instant : sought;
            cursor = { key, parameters: seek === undefined ? parameters : { ...parameters, seek: iso(seek) }, last: '' };
            seen = new Map();
            frames = doubled = 0;
            isFromBeginning = seek === undefined;
          }
          isPlaying = true;
          stream = follow(path(), cursor.parameters, KINDS, on, { last: cursor.last, isNeverSilent: true });
          tell('');
          desk();
        }

        /// Stops; `play` goes on behind the last event seen.
        export function pause() {
          stop();
          remember();
          desk();
        }

        function stop() {
          if (stream && !isPeeking && cursor) cursor.last = stream.last();
          stream?.close();
          stream = null;
          isPlaying = isPeeking = false;
          desk(false);
        }

        /// Plays, or stops; plays as soon as it can where it is not ready yet.
        export const toggle = () => isPlaying ? pause() : line ? play() : isEager = !isEager;

        /// Goes to an instant, and plays on where `goesOn`.
        export function seek(instant, goesOn = isPlaying) {
          if (!line) return;
          stop();
          cursor = null;
          isOver = false;
          sought = instant;
          now = { instant };
          isFromBeginning = false;
          seen = new Map();
          clear();
          wholly();
          tell('');
          if (goesOn) play();
          else peek();
        }

        /// Shows the dot where it stands, without playing.
        function peek() {
          isPeeking = true;
          const seek = sought === undefined ? undefined : iso(sought);
          stream = follow(path(), { ...scope(), speed: '1', fps: '10', seek }, KINDS, on, { isNeverSilent: true });
          desk();
        }

        const iso = (instant) => new Date(instant).toISOString();

        /// Another speed goes on from where it is.
        export function setSpeed(speed) {
          const goesOn = isPlaying;
          if (goesOn) stop();
          state.speed = speed;
          if (goesOn) play();
          else map.remember();
        }

        // Events

        const on = {
          event(kind, value) {
            handlers[kind](value);
            wake();
          },
          lost(why) {
            tell(why || 'Reconnecting …', true);
          },
          back() {
            tell('');
          },
          refused(error) {
            // A cursor that the server does not know any more: from the instant on, then.
            if (error.status === 400 && cursor?.last) {
              const goesOn = isPlaying;
              stop();
              cursor.last = '';
              if (goesOn) play();
              return;
            }
            fail(error);
          },
          over: () => end(),
        };

        const handlers = {
          start(value) {
            base = value.t0;
          },
          track(value) {
            names.set(value.track, { ...names.get(value.track), ...value });
            if (!isTogether()) {
              now = { instant: Math.max(value.start, now.instant ?? value.start), track: value.track };
              wholly();
            }
            if (!isTogether() && !dots.has(value.track)) lookBack(value, now.instant);
            if (wantsView && value.bbox && map.showBox(value.bbox)) wantsView = false;
          },
          frame(value) {
            const instant = base + value.dt, last = seen.get(value.track);
            // No frame is shown twice, whatever the network does.
            if (last && (instant < last.instant || instant === last.instant && value.i <= last.i)) {
              doubled += 1;
              return;
            }
            if (isPeeking && seen.size > 0 && instant > now.instant) {
              stop();
              return;
            }
            seen.set(value.track, { instant, i: value.i });
            frames += 1;
            dots.move(value.track, value.p, instant, value.c);
            if (isHeated()) pass(value.track, value.p);
            now = { instant, track: value.track, speed: value.v, metres: value.d };
            if (isPeeking && !isTogether()) stop();
          },
          gap(value) {
            dots.interrupt(value.track);
            if (isPlaying) tell(lapse(value.to - value.from) + ' later', false, GAP_MS);
          },
          mark(value) {
            dots.mark(value.track, value.p, value.name);
          },
          'track-end'(value) {
            if (!isTrack()) dots.leave(value.track);
            wholly();
          },
          end: () => end(),
          async reset() {
            seen = new Map();
            clear();
            wholly();
            tell('The tracks have changed.', false, GAP_MS);
            await renew();
          },
        };

        function clear() {
          endPast();
          dots?.clear();
        }

        /// A trail begins before the place where its dot is set down.
        function lookBack({ track, start }, instant) {
          const from = Math.max(start, state.trail === '0' ? start : instant - Number(state.trail) * 1000);
          endPast();
          if (from < instant) endPast = askPast(track, from, instant, (points) => dots.precede(track, points));
        }

        function end() {
          stop();
          isOver = true;
          cursor = null;
          tell(daysPlayed() ? 'The end of the first ' + daysPlayed() + ' days; choose a later day to go on.' : 'The end.');
          wake();
        }

        // Showing

        /// Shows what has come, with the next picture of the screen.
        function wake() {
          if (isWaiting) return;
          isWaiting = true;
          requestAnimationFrame(() => {
            isWaiting = false;
            if (state.play && line && now) show();
          });
        }

        function show() {
          const position = isOver ? line.length : line.position(now.instant, now.track);
          if (!aimed) {
            showMoving({
              position, length: line.length, instant: now.instant, track: names.get(now.track), speed: now.speed,
              metres: now.metres, color: isTogether() || !now.track ? '' : dots.color(now.track),
              count: state.speed === 'max' && isFromBeginning ? { frames, points: manifest.points } : null, frames, doubled,
            });
          }
          if (state.follow === '1' && !wantsView) map.keepInView(dots.places(), isTogether());
          if (isHeated()) {
            showHeat(now.instant, heatStyle());
            // What comes too soon is shown later, even where nothing moves any more.
            if (!isPlaying) setTimeout(() => state.play && isHeated() && now && showHeat(now.instant, heatStyle()), 1500);
          }
          if (performance.now() - written > ADDRESS_MS) remember();
        }

        function remember() {
          written = performance.now();
          if (now) state.at = isOver ? '' : iso(now.instant).replace('.000Z', 'Z');
          map.remember();
        }

        /// Shows the choices as they are now.
        function restyle() {
          const isDark = document.documentElement.dataset.ground === 'dark';
          dots.setTrail(Number(state.trail) * 1000, !isHeated() && !isDark);
          if (isHeated()) wholly();
          else hideHeat();
          desk();
          wake();
        }

        function desk(isWhole = true) {
          showDesk({ isPlaying, isTrack: isTrack(), isHeated: isHeated(), isWhole });
        }

        // Aiming with the slider or the keys

        /// Points at a position, 0…1, of the playing time; soon, or at once where `isFinal`, it goes there.
        export function aim(share, isFinal = false) {
          if (!line) return;
          if (!aimed) {
            wasPlaying = isPlaying;
            stop();
          }
          aimed = line.at(Math.min(1, Math.max(0, share)) * line.length);
          moveSlider({ position: share * line.length, length: line.length, instant: aimed.instant });
          clearTimeout(aimTimer);
          aimTimer = setTimeout(land, isFinal ? 0 : AIM_MS, isFinal);
        }

        function land(isFinal) {
          const { instant } = aimed;
          // Whoever still holds the slider sees the dot, and hears nothing of playing yet.
          seek(instant, isFinal && wasPlaying);
          if (isFinal) aimed = null;
        }

        /// Goes on or back by some seconds.
        export function skip(direction) {
          if (!line || !now) return;
          const seconds = state.speed === 'max' ? SKIP_POINTS_SECONDS : SKIP_SECONDS * Number(state.speed);
          const from = aimed ? line.position(aimed.instant, undefined) : line.position(now.instant, now.track);
          const goesOn = aimed ? wasPlaying : isPlaying;
          aim((from + direction * seconds * 1000) / line.length);
          clearTimeout(aimTimer);
          wasPlaying = goesOn;
          aimTimer = setTimeout(land, AIM_MS, true);
        }

        /// Follows no more: the reader has taken the map elsewhere.
        export function letGo() {
          if (!state.play && !state.live) return;
          state.follow = '0';
          desk();
        }

        /// The day that is played.
        export const dayPlayed = () => now ? dayIn(now.instant) : state.play;

        /// Ends the replay.
        export function close() {
          prepared += 1;
          prepares = '';
          if (stream) stop();
          clearTimeout(aimTimer);
          cursor = manifest = line = now = aimed = null;
          state.play = state.at = state.under = '';
          clear();
          hideHeat();
          desk();
          map.remember();
        }

        /// Lets dots move on a map; `before` is called when a replay takes them.
        export function makePlayer(own, before) {
          dots = own;
          began = before;
        }

        """#
}
