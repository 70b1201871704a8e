import { known } from './state.js';
import { makeMapCanvas } from './map-canvas.js';
import { worldPoint } from './mercator.js';
import { COLOR_COUNT, trailColor } from './trail-colors.js';

/// The number of steps in which a trail fades.
const FADE_STEPS = 16;
const LEAST_OPACITY = 0.18;
/// How long a trail stays after its marker has left.
const LEAVING_MS = 2500;
/// Longer trails lose their oldest points; this number of points takes some megabytes.
const MAX_POINTS = 300_000;
const MARKER_PIXELS = 7;

/// A canvas with markers above the tiles of a Leaflet map.
export function makeMarkers(map) {
  const layer = makeMapCanvas(map, 'markers', 450), { canvas, context } = layer;
  const trails = new Map();
  let trailMs = 0, firstColor = 0, isWaiting = false, colorOf = () => undefined;

  function trailOf(key) {
    let trail = trails.get(key);
    if (!trail) {
      const taken = [...trails.values()].filter(({ over }) => over === undefined).map(({ color }) => color);
      let free = firstColor;
      while (taken.includes(free)) free += 1;
      const color = colorOf(key) ?? (free < COLOR_COUNT ? free : taken.length % COLOR_COUNT);
      trail = { xs: [], ys: [], times: [], starts: [], first: 0, waypoints: [], color };
      trails.set(key, trail);
    }
    return trail;
  }

  function trim(trail) {
    const oldest = trail.times.at(-1) - trailMs;
    while (trailMs > 0 && trail.times[trail.first] < oldest) trail.first += 1;
    trail.first = Math.max(trail.first, trail.xs.length - MAX_POINTS);
    // The arrays are copied when half of their points are not drawn any more, so that each point costs a constant time.
    if (trail.first < 4096 || trail.first * 2 < trail.xs.length) return;
    for (const name of ['xs', 'ys', 'times', 'starts']) trail[name] = trail[name].slice(trail.first);
    trail.first = 0;
  }

  // Drawing

  function draw() {
    isWaiting = false;
    const size = layer.clear();
    if (trails.size === 0) return;
    const scale = 256 * 2 ** map.getZoom(), origin = map.getPixelBounds().min, now = performance.now();
    for (const [key, trail] of trails) {
      const left = trail.over === undefined ? 1 : 1 - (now - trail.over) / LEAVING_MS;
      if (left <= 0) {
        trails.delete(key);
        continue;
      }
      if (left < 1) schedule();
      const last = trail.xs.length - 1;
      if (last < 0) continue;
      // The world repeats itself to the east and west.
      const first = Math.floor(origin.x / scale - Math.max(...ends(trail.xs, trail.first)));
      const until = Math.ceil((origin.x + size.x) / scale - Math.min(...ends(trail.xs, trail.first)));
      const paint = { color: trailColor(trail.color), casing: known.theme ? '#000' : '#fff', left };
      for (let copy = first; copy <= until; copy++) {
        const view = { scale, x: origin.x - copy * scale, y: origin.y, size };
        drawTrail(trail, view, paint);
        if (trail.over === undefined) drawMarker(trail, view, paint);
      }
    }
  }

  /// The x of both ends of a trail, to find the copies of the world in which it may be visible.
  const ends = (xs, first) => [xs[first], xs.at(-1)];

  function drawTrail(trail, view, { color, casing, left }) {
    const { xs, ys, starts, first } = trail;
    const count = xs.length - first;
    const strokes = [];
    for (let step = 0; step < FADE_STEPS; step++) {
      const from = first + Math.floor(count * step / FADE_STEPS);
      const to = first + Math.floor(count * (step + 1) / FADE_STEPS);
      const path = new Path2D();
      let isEmpty = true, px = NaN, py = NaN, isJoined = false;
      for (let k = Math.max(first, from - 1); k < to; k++) {
        const x = xs[k] * view.scale - view.x, y = ys[k] * view.scale - view.y;
        const isStart = starts[k] || Number.isNaN(px);
        // Points closer than 1.5 pixels cannot be distinguished.
        if (!isStart && k < to - 1 && Math.abs(x - px) + Math.abs(y - py) < 1.5) continue;
        const isSeen = Math.max(x, px) > -9 && Math.min(x, px) < view.size.x + 9
          && Math.max(y, py) > -9 && Math.min(y, py) < view.size.y + 9;
        if (!isStart && isSeen) {
          if (!isJoined) path.moveTo(px, py);
          path.lineTo(x, y);
          isEmpty = false;
        }
        isJoined = !isStart && isSeen;
        [px, py] = [x, y];
      }
      if (!isEmpty) strokes.push([path, LEAST_OPACITY + (1 - LEAST_OPACITY) * ((step + 1) / FADE_STEPS) ** 1.5]);
    }
    // Round ends would overlap between the steps of a trail.
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
    for (const waypoint of trail.waypoints) drawWaypoint(waypoint, view, color, casing);
    context.globalAlpha = 1;
  }

  function drawWaypoint({ x: worldX, y: worldY, name }, view, color, casing) {
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

  function drawMarker(trail, view, { color, casing }) {
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
      context.moveTo(0, -MARKER_PIXELS - 12);
      context.lineTo(8, -MARKER_PIXELS + 1);
      context.lineTo(-8, -MARKER_PIXELS + 1);
      context.closePath();
      context.stroke();
      context.fill();
      context.restore();
    }
    context.beginPath();
    context.arc(0, 0, MARKER_PIXELS, 0, 2 * Math.PI);
    context.fill();
    context.shadowBlur = 0;
    context.stroke();
    context.restore();
  }

  function schedule() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(draw);
  }

  // The canvas moves with the map, but cannot follow the animation of zooming.
  map.on('move viewreset resize', draw);
  map.on('zoomstart', () => { canvas.style.visibility = 'hidden'; });
  map.on('zoomend', () => {
    canvas.style.visibility = '';
    draw();
  });

  return {
    draw: schedule,
    /// Sets the length of trails in milliseconds of track time; 0 for whole tracks. Over lines, other colours are used.
    setTrail(milliseconds, isOverLines = false) {
      trailMs = milliseconds;
      firstColor = isOverLines ? 1 : 0;
      for (const trail of trails.values()) trim(trail);
      schedule();
    },
    /// Sets the function that gives the index of a trail's colour, by its key. If it returns undefined, the trail gets a
    /// colour that no other trail has.
    setColors(indexOf) {
      colorOf = indexOf;
      for (const [key, trail] of trails) trail.color = colorOf(key) ?? trail.color;
      schedule();
    },
    /// Moves a marker, or makes it if there is none with this key; in degrees and milliseconds.
    move(key, place, time, course) {
      const trail = trailOf(key);
      let [x, y] = worldPoint(place);
      // A trail that crosses 180° continues in the next copy of the world.
      if (trail.xs.length > 0) x += Math.round(trail.xs.at(-1) - x);
      trail.xs.push(x);
      trail.ys.push(y);
      trail.times.push(time);
      trail.starts.push(Boolean(trail.isBroken));
      trail.isBroken = false;
      if (course !== undefined) trail.course = course;
      trail.place = place;
      trim(trail);
      schedule();
    },
    has: (key) => trails.has(key),
    /// Inserts points, {place, time, isStart}, before those of a trail.
    precede(key, points) {
      if (points.length === 0) return;
      const trail = trailOf(key);
      let near = trail.xs[trail.first] ?? worldPoint(points.at(-1).place)[0];
      const before = points.reverse().map(({ place, time, isStart }) => {
        let [x, y] = worldPoint(place);
        x += Math.round(near - x);
        near = x;
        return { x, y, time, isStart };
      }).reverse();
      for (const [name, member] of [['xs', 'x'], ['ys', 'y'], ['times', 'time'], ['starts', 'isStart']]) {
        trail[name] = [...before.map((point) => point[member]), ...trail[name].slice(trail.first)];
      }
      trail.first = 0;
      trim(trail);
      schedule();
    },
    /// Leaves out the line to the next point of a trail, or of all trails.
    interrupt(key) {
      for (const [name, trail] of trails) if (key === undefined || name === key) trail.isBroken = true;
    },
    /// Adds a named place to a trail.
    addWaypoint(key, place, name) {
      const trail = trailOf(key);
      const [x, y] = worldPoint(place);
      trail.waypoints.push({ x, y, name });
      schedule();
    },
    /// Removes a marker, and its trail after some time.
    leave(key) {
      const trail = trails.get(key);
      if (!trail) return;
      // A new marker with this key gets a new trail.
      trails.delete(key);
      trails.set(trail, trail);
      trail.over = performance.now();
      schedule();
    },
    clear() {
      trails.clear();
      schedule();
    },
    /// The places of the markers, [longitude, latitude, …].
    places: () => [...trails.values()].filter(({ over }) => over === undefined).map(({ place }) => place).filter(Boolean),
    /// The CSS colour of a marker.
    color: (key) => trailColor(trailOf(key).color),
  };
}
