import { farToNear, freeLabels, seenCorners } from './scene-order.js';
import { CURTAIN_ALPHA, LINE_WIDTH, scenePalette, SHADOW_ALPHA, trackColor } from './scene-palette.js';

/// Panels of curtains are drawn in at most so many groups, from far to near; a path for each panel would be too slow.
const GROUPS = 90;
/// Panels of a group are one path if they follow each other so closely along the track: then they do not cover each other.
const NEXT_PANELS = 3;
/// Shades of curtains, by their direction.
const SHADES = 4;
const LABEL_FONT = '500 11px system-ui, sans-serif', LABEL_HEIGHT = 14;
/// While a scene of more corners moves, those that are nearer to each other are left out.
const MANY_CORNERS = 4000, COARSE_PIXELS = 5;
/// Posts that are labelled: measuring texts takes time.
const MAX_LABELS = 120;

/// The colour between black and another one.
function shaded(color, part) {
  const channels = [1, 3, 5].map((at) => Math.round(parseInt(color.slice(at, at + 2), 16) * part));
  return `rgb(${channels.join(' ')})`;
}

/// The pixels of all corners: those of their feet and of their heads, which are above them.
export function projectCorners({ count, east, north, rise }, stretch, { across, down, up, origin: [left, top] }) {
  const x = new Float64Array(count), foot = new Float64Array(count), head = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    x[index] = left + east[index] * across[0] + north[index] * across[1];
    foot[index] = top + east[index] * down[0] + north[index] * down[1];
    head[index] = foot[index] - rise[index] * stretch * up;
  }
  return { x, foot, head };
}

/// Draws a frame of a scene: what WebGL draws if there is any, `isSolid`, and then what is above it. `frame` has the corners, the
/// projection, the stretch, the theme, the picture of the ground, what stands on it, and the corner of the plumb line.
export function drawScene(context, frame, isSolid) {
  const { theme, width, height } = frame, palette = scenePalette(theme);
  context.clearRect(0, 0, width, height);
  if (isSolid) drawSolid(context, frame, palette);
  drawPosts(context, frame, palette);
  if (frame.plumb >= 0) drawPlumbLine(context, frame, palette);
  drawNorth(context, frame, palette);
}

/// The ground, the shadows and the curtains, without WebGL.
function drawSolid(context, frame, palette) {
  const { corners, projection, stretch, ground, isMoving } = frame, pixels = projectCorners(corners, stretch, projection);
  const least = isMoving && corners.count > MANY_CORNERS ? COARSE_PIXELS : undefined;
  const lines = corners.segments.map(({ track, from, to }) =>
    ({ track, kept: seenCorners(pixels.x, pixels.foot, pixels.head, from, to, least) }));
  ground?.draw(context, projection);
  Object.assign(context, { lineCap: 'round', lineJoin: 'round', globalAlpha: 1 });
  // From above, the shadow would be the line itself.
  if (projection.up > 0) drawShadows(context, lines, pixels, palette);
  drawCurtains(context, lines, pixels, frame, palette);
}

function drawShadows(context, lines, { x, foot }, { ink }) {
  context.beginPath();
  for (const { kept } of lines) {
    kept.forEach((corner, index) => {
      if (index === 0) context.moveTo(x[corner], foot[corner]);
      context.lineTo(x[corner], foot[corner]);
    });
  }
  Object.assign(context, { strokeStyle: ink, lineWidth: LINE_WIDTH + 1, globalAlpha: SHADOW_ALPHA });
  context.stroke();
  context.globalAlpha = 1;
}

/// The areas between tracks and ground with the tracks on top, from far to near.
function drawCurtains(context, lines, { x, foot, head }, { corners, projection, theme }, palette) {
  const from = [], to = [], tracks = [], depths = [];
  const depth = (corner) => projection.depth(corners.east[corner], corners.north[corner]);
  for (const { track, kept } of lines) {
    const ends = kept.length === 1 ? [kept[0], kept[0]] : kept;
    for (let index = 1; index < ends.length; index++) {
      from.push(ends[index - 1]);
      to.push(ends[index]);
      tracks.push(track);
      depths.push(depth(ends[index - 1]) + depth(ends[index]));
    }
  }
  const order = farToNear(Float64Array.from(depths)), size = Math.ceil(order.length / GROUPS);
  const ranks = new Uint32Array(order.length);
  order.forEach((panel, rank) => { ranks[panel] = rank; });
  const colors = palette.tracks.map((color) => Array.from({ length: SHADES }, (_, shade) =>
    // As if light came from the left.
    shaded(color, 0.72 + 0.28 * shade / (SHADES - 1))));
  for (let start = 0; start < order.length; start += size) {
    for (const run of runsOf(order.slice(start, start + size), tracks, ranks)) {
      const number = tracks[run[0]] % palette.tracks.length;
      if (projection.up > 0) fillPanels(context, run, from, to, { x, foot, head }, colors[number]);
      context.strokeStyle = trackColor(number, theme);
      context.globalAlpha = 1;
      context.lineWidth = LINE_WIDTH;
      context.beginPath();
      let last = -1;
      for (const panel of run) {
        if (from[panel] !== last) context.moveTo(x[from[panel]], head[from[panel]]);
        context.lineTo(x[to[panel]], head[to[panel]]);
        last = to[panel];
      }
      context.stroke();
    }
  }
}

/// The panels of a group, far to near, in runs that follow each other along a track; the run with the farthest panel is
/// first.
function runsOf(group, tracks, ranks) {
  const runs = [];
  let run = null;
  for (const panel of group.sort()) {
    const before = run?.panels.at(-1);
    const isNext = run && tracks[before] === tracks[panel] && panel - before <= NEXT_PANELS;
    if (!isNext) runs.push(run = { panels: [], rank: Infinity });
    run.panels.push(panel);
    run.rank = Math.min(run.rank, ranks[panel]);
  }
  return runs.sort((one, other) => one.rank - other.rank).map(({ panels }) => panels);
}

/// Fills panels that do not cover each other, in shades by their direction.
function fillPanels(context, run, from, to, { x, foot, head }, colors) {
  const paths = new Map();
  for (const panel of run) {
    // All panels go round in the same direction: otherwise they would cancel each other where they touch.
    const isTurned = x[from[panel]] > x[to[panel]];
    const [left, right] = isTurned ? [to[panel], from[panel]] : [from[panel], to[panel]];
    const width = Math.hypot(x[right] - x[left], foot[right] - foot[left]);
    const path = pathOf(paths, width > 0 ? Math.round((x[right] - x[left]) / width * (SHADES - 1)) : SHADES >> 1);
    path.moveTo(x[left], foot[left]);
    path.lineTo(x[right], foot[right]);
    path.lineTo(x[right], head[right]);
    path.lineTo(x[left], head[left]);
    path.closePath();
  }
  context.globalAlpha = CURTAIN_ALPHA;
  for (const [shade, path] of paths) {
    context.fillStyle = colors[shade];
    context.fill(path);
  }
}

function pathOf(paths, key) {
  let path = paths.get(key);
  if (!path) paths.set(key, path = new Path2D());
  return path;
}

/// Full hours, marked points and photos, from far to near, and their labels: a label that would cover a nearer one is
/// left out.
function drawPosts(context, { posts, projection, stretch, theme }, palette) {
  const shown = posts.map((post) => {
    const [east, north] = post.place, { scale } = projection;
    return {
      ...post, depth: projection.depth(east, north) * scale, foot: projection.pixel(east, north),
      head: projection.pixel(east, north, post.rise * stretch),
    };
  });
  const order = farToNear(Float64Array.from(shown, ({ depth }) => depth));
  context.lineWidth = 1;
  for (const index of order) {
    const { foot, head, radius, track } = shown[index];
    context.strokeStyle = palette.ink;
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(...foot);
    context.lineTo(...head);
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(...head, radius, 0, 2 * Math.PI);
    Object.assign(context, { fillStyle: palette.halo, lineWidth: 1.5 });
    context.fill();
    context.strokeStyle = track === undefined ? palette.ink : trackColor(track, theme);
    context.stroke();
  }
  context.font = LABEL_FONT;
  const nearest = [...order].reverse().map((index) => shown[index]).filter(({ label }) => label).slice(0, MAX_LABELS);
  const boxes = nearest.map(({ head: [x, y], radius, label }) => {
    const width = context.measureText(label).width + 4;
    return [x - width / 2, y - radius - LABEL_HEIGHT - 3, width, LABEL_HEIGHT];
  });
  freeLabels(boxes).forEach((isFree, index) => {
    if (isFree) drawLabel(context, nearest[index].label, boxes[index], palette);
  });
}

function drawLabel(context, text, [x, y, , height], { ink, halo }) {
  Object.assign(context, { textAlign: 'left', textBaseline: 'middle', strokeStyle: halo, lineWidth: 3, globalAlpha: 0.85 });
  context.strokeText(text, x + 2, y + height / 2);
  Object.assign(context, { fillStyle: ink, globalAlpha: 1 });
  context.fillText(text, x + 2, y + height / 2);
}

/// A line from the track to the ground at the corner that is pointed at.
function drawPlumbLine(context, { plumb, plumbText, corners: { east, north, rise }, projection, stretch }, { ink, halo }) {
  const [x, foot] = projection.pixel(east[plumb], north[plumb]), head = foot - rise[plumb] * stretch * projection.up;
  for (const [color, width] of [[halo, 5], [ink, 2]]) {
    Object.assign(context, { strokeStyle: color, lineWidth: width });
    context.beginPath();
    context.moveTo(x, foot);
    context.lineTo(x, head);
    context.stroke();
  }
  context.beginPath();
  context.ellipse(x, foot, 5, 2.5, 0, 0, 2 * Math.PI);
  context.fillStyle = ink;
  context.fill();
  context.beginPath();
  context.arc(x, head, 6, 0, 2 * Math.PI);
  Object.assign(context, { fillStyle: halo, lineWidth: 2.5 });
  context.fill();
  context.stroke();
  if (!plumbText) return;
  context.font = LABEL_FONT;
  const width = context.measureText(plumbText).width + 12, box = [x - width / 2, head - 32, width, 20];
  context.fillStyle = ink;
  context.beginPath();
  context.roundRect(...box, 6);
  context.fill();
  Object.assign(context, { fillStyle: halo, textAlign: 'center', textBaseline: 'middle' });
  context.fillText(plumbText, x, head - 22);
}

/// An arrow to the north on the ground, in the upper right corner of what is not covered.
function drawNorth(context, { projection: { across, down, scale }, right, top }, { ink }) {
  const unit = 18 / scale, [left, high] = [right - 34, top + 34];
  const pixel = (east, north) => [
    left + (east * across[0] + north * across[1]) * unit, high + (east * down[0] + north * down[1]) * unit,
  ];
  context.beginPath();
  for (const corner of [[0, 1], [0.55, -0.8], [0, -0.45], [-0.55, -0.8]]) context.lineTo(...pixel(...corner));
  context.closePath();
  Object.assign(context, { fillStyle: ink, globalAlpha: 0.75 });
  context.fill();
  context.globalAlpha = 1;
  Object.assign(context, { font: LABEL_FONT, textAlign: 'center', textBaseline: 'middle' });
  context.fillText('N', ...pixel(0, 1.75));
}
