import { farToNear, freeLabels } from './scene-order.js';
import { scenePalette, trackColor } from './scene-palette.js';

const LABEL_FONT = '500 11px system-ui, sans-serif', LABEL_HEIGHT = 14;
/// Posts that are labelled: measuring texts takes time.
const MAX_LABELS = 120;

/// Draws what is above the curtains of a scene: what stands on the ground, and the plumb line. `frame` has the corners, the
/// projection, the stretch, the theme, the posts, and the corner of the plumb line.
export function drawScene(context, frame) {
  const palette = scenePalette(frame.theme);
  context.clearRect(0, 0, frame.width, frame.height);
  Object.assign(context, { lineCap: 'round', lineJoin: 'round', globalAlpha: 1 });
  drawPosts(context, frame, palette);
  if (frame.plumb >= 0) drawPlumbLine(context, frame, palette);
  drawNorth(context, frame, palette);
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
