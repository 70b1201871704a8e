extension Page {
    /// Dots that move, with a line behind each: one canvas above the tiles.
    static let dotsScript = #"""
        /// A trail becomes fainter in so many steps.
        const FADES = 16;
        const FAINTEST = 0.18;
        /// Trails that are over are seen for so long.
        const LEAVING_MS = 2500;
        /// Of a trail that would not end, the last points are kept: some megabytes.
        const MOST_POINTS = 300_000;
        const DOT_PIXELS = 7;
        const COLORS = { light: ['#0067d9', '#c2410c', '#0f7a4d', '#8a2be2', '#9a6700', '#be185d', '#0e7490', '#4b5563'],
          dark: ['#5cc8ff', '#ffb454', '#5ee6a8', '#d5a6ff', '#f4e04d', '#ff8fc0', '#7dd3fc', '#d4d4d8'] };

        /// Where a place is in the world's square, 0…1 from the north-west.
        function worldPoint([longitude, latitude]) {
          const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
          return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
        }

        /// A canvas with dots above the tiles of a Leaflet map.
        export function makeDots(map) {
          const pane = map.createPane('dots');
          pane.style.zIndex = 450;
          pane.style.pointerEvents = 'none';
          const canvas = document.createElement('canvas');
          canvas.setAttribute('aria-hidden', 'true');
          pane.append(canvas);
          const context = canvas.getContext('2d');
          const trails = new Map();
          let trailMs = 0, firstColor = 0, isWaiting = false;

          function trailOf(key) {
            let trail = trails.get(key);
            if (!trail) {
              const taken = [...trails.values()].filter(({ over }) => over === undefined).map(({ color }) => color);
              const free = COLORS.light.findIndex((_, color) => color >= firstColor && !taken.includes(color));
              const color = free < 0 ? taken.length % COLORS.light.length : free;
              trail = { xs: [], ys: [], times: [], begins: [], first: 0, marks: [], color };
              trails.set(key, trail);
            }
            return trail;
          }

          function trim(trail) {
            const oldest = trail.times.at(-1) - trailMs;
            while (trailMs > 0 && trail.times[trail.first] < oldest) trail.first += 1;
            trail.first = Math.max(trail.first, trail.xs.length - MOST_POINTS);
            if (trail.first < 4096 || trail.first * 2 < trail.xs.length) return;
            for (const name of ['xs', 'ys', 'times', 'begins']) trail[name] = trail[name].slice(trail.first);
            trail.first = 0;
          }

          // Drawing

          function draw() {
            isWaiting = false;
            const size = map.getSize(), ratio = devicePixelRatio || 1;
            const [width, height] = [size.x * ratio, size.y * ratio].map(Math.round);
            if (canvas.width !== width || canvas.height !== height) {
              Object.assign(canvas, { width, height });
              canvas.style.width = size.x + 'px';
              canvas.style.height = size.y + 'px';
            }
            L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.clearRect(0, 0, size.x, size.y);
            if (trails.size === 0) return;
            const isDark = document.documentElement.dataset.ground === 'dark';
            const scale = 256 * 2 ** map.getZoom(), origin = map.getPixelBounds().min, now = performance.now();
            for (const [key, trail] of trails) {
              const left = trail.over === undefined ? 1 : 1 - (now - trail.over) / LEAVING_MS;
              if (left <= 0) {
                trails.delete(key);
                continue;
              }
              if (left < 1) later();
              const last = trail.xs.length - 1;
              if (last < 0) continue;
              // The world repeats itself to the east and west.
              const first = Math.floor(origin.x / scale - Math.max(...ends(trail.xs, trail.first)));
              const until = Math.ceil((origin.x + size.x) / scale - Math.min(...ends(trail.xs, trail.first)));
              const paint = { color: COLORS[isDark ? 'dark' : 'light'][trail.color], casing: isDark ? '#000' : '#fff', left };
              for (let copy = first; copy <= until; copy++) {
                const view = { scale, x: origin.x - copy * scale, y: origin.y, size };
                drawTrail(trail, view, paint);
                if (trail.over === undefined) drawDot(trail, view, paint);
              }
            }
          }

          /// The ends of a trail in x; good enough to tell which copies of the world it may be seen in.
          const ends = (xs, first) => [xs[first], xs.at(-1)];

          function drawTrail(trail, view, { color, casing, left }) {
            const { xs, ys, begins, first } = trail;
            const count = xs.length - first;
            const strokes = [];
            for (let step = 0; step < FADES; step++) {
              const from = first + Math.floor(count * step / FADES), to = first + Math.floor(count * (step + 1) / FADES);
              const path = new Path2D();
              let isEmpty = true, px = NaN, py = NaN, isJoined = false;
              for (let k = Math.max(first, from - 1); k < to; k++) {
                const x = xs[k] * view.scale - view.x, y = ys[k] * view.scale - view.y;
                const isBegin = begins[k] || Number.isNaN(px);
                // What is nearer than a pixel and a half is not told apart.
                if (!isBegin && k < to - 1 && Math.abs(x - px) + Math.abs(y - py) < 1.5) continue;
                const isSeen = Math.max(x, px) > -9 && Math.min(x, px) < view.size.x + 9
                  && Math.max(y, py) > -9 && Math.min(y, py) < view.size.y + 9;
                if (!isBegin && isSeen) {
                  if (!isJoined) path.moveTo(px, py);
                  path.lineTo(x, y);
                  isEmpty = false;
                }
                isJoined = !isBegin && isSeen;
                [px, py] = [x, y];
              }
              if (!isEmpty) strokes.push([path, FAINTEST + (1 - FAINTEST) * ((step + 1) / FADES) ** 1.5]);
            }
            // Round ends would lie one on the other where one part of the trail goes on in the next.
            context.lineCap = 'butt';
            context.lineJoin = 'round';
            for (const [width, style] of [[6, casing], [3.5, color]]) {
              context.lineWidth = width;
              context.strokeStyle = style;
              for (const [path, alpha] of strokes) {
                context.globalAlpha = alpha * left * (style === casing ? 0.55 : 1);
                context.stroke(path);
              }
            }
            context.globalAlpha = left;
            for (const mark of trail.marks) drawMark(mark, view, color, casing);
            context.globalAlpha = 1;
          }

          function drawMark({ x: worldX, y: worldY, name }, view, color, casing) {
            const x = worldX * view.scale - view.x, y = worldY * view.scale - view.y;
            context.beginPath();
            context.rect(x - 4, y - 4, 8, 8);
            context.fillStyle = casing;
            context.strokeStyle = color;
            context.lineWidth = 2;
            context.fill();
            context.stroke();
            if (!name) return;
            context.font = '12px system-ui, sans-serif';
            context.lineWidth = 3;
            context.strokeStyle = casing;
            context.strokeText(name, x + 9, y + 4);
            context.fillStyle = color;
            context.fillText(name, x + 9, y + 4);
          }

          function drawDot(trail, view, { color, casing }) {
            const x = trail.xs.at(-1) * view.scale - view.x, y = trail.ys.at(-1) * view.scale - view.y;
            context.save();
            context.translate(x, y);
            context.lineWidth = 2.5;
            context.fillStyle = color;
            context.strokeStyle = casing;
            context.shadowColor = '#0007';
            context.shadowBlur = 5;
            if (trail.course !== undefined) {
              context.save();
              context.rotate(trail.course * Math.PI / 180);
              context.beginPath();
              context.moveTo(0, -DOT_PIXELS - 12);
              context.lineTo(8, -DOT_PIXELS + 1);
              context.lineTo(-8, -DOT_PIXELS + 1);
              context.closePath();
              context.stroke();
              context.fill();
              context.restore();
            }
            context.beginPath();
            context.arc(0, 0, DOT_PIXELS, 0, 2 * Math.PI);
            context.fill();
            context.shadowBlur = 0;
            context.stroke();
            context.restore();
          }

          function later() {
            if (isWaiting) return;
            isWaiting = true;
            requestAnimationFrame(draw);
          }

          // The canvas goes along with the map at once; only zooming moves faster than it can.
          map.on('move viewreset resize', draw);
          map.on('zoomstart', () => { canvas.style.visibility = 'hidden'; });
          map.on('zoomend', () => {
            canvas.style.visibility = '';
            draw();
          });

          return {
            draw: later,
            /// How long trails are, in milliseconds of the tracks' time; 0 for all of it. Over lines, other colours are used.
            setTrail(milliseconds, isOverLines = false) {
              trailMs = milliseconds;
              firstColor = isOverLines ? 1 : 0;
              for (const trail of trails.values()) trim(trail);
              later();
            },
            /// Moves a dot, in degrees and milliseconds; a new one is made where there is none with this key.
            move(key, place, time, course) {
              const trail = trailOf(key);
              let [x, y] = worldPoint(place);
              // Across 180° it goes on in the next copy of the world.
              if (trail.xs.length > 0) x += Math.round(trail.xs.at(-1) - x);
              trail.xs.push(x);
              trail.ys.push(y);
              trail.times.push(time);
              trail.begins.push(Boolean(trail.isBroken));
              trail.isBroken = false;
              if (course !== undefined) trail.course = course;
              trail.place = place;
              trim(trail);
              later();
            },
            has: (key) => trails.has(key),
            /// Puts points, {place, time, isBegin}, before those of a trail.
            precede(key, points) {
              if (points.length === 0) return;
              const trail = trailOf(key);
              let near = trail.xs[trail.first] ?? worldPoint(points.at(-1).place)[0];
              const before = points.reverse().map(({ place, time, isBegin }) => {
                let [x, y] = worldPoint(place);
                x += Math.round(near - x);
                near = x;
                return { x, y, time, isBegin };
              }).reverse();
              for (const [name, member] of [['xs', 'x'], ['ys', 'y'], ['times', 'time'], ['begins', 'isBegin']]) {
                trail[name] = [...before.map((point) => point[member]), ...trail[name].slice(trail.first)];
              }
              trail.first = 0;
              trim(trail);
              later();
            },
            /// Where the dot goes on next there is no line.
            interrupt(key) {
              for (const [name, trail] of trails) if (key === undefined || name === key) trail.isBroken = true;
            },
            mark(key, place, name) {
              const trail = trailOf(key);
              const [x, y] = worldPoint(place);
              trail.marks.push({ x, y, name });
              later();
            },
            /// Takes a dot away, and its trail after a while.
            leave(key) {
              const trail = trails.get(key);
              if (!trail) return;
              // Another one of this name begins afresh.
              trails.delete(key);
              trails.set(trail, trail);
              trail.over = performance.now();
              later();
            },
            clear() {
              trails.clear();
              later();
            },
            /// The dots' places, [longitude, latitude, …].
            places: () => [...trails.values()].filter(({ over, place }) => over === undefined && place).map(({ place }) => place),
            /// The colour of a dot, as CSS has it.
            color: (key) => COLORS[document.documentElement.dataset.ground === 'dark' ? 'dark' : 'light'][trailOf(key).color],
          };
        }

        """#
}
