import { farToNear, seenCorners } from './scene-order.js';
import { CURTAIN_ALPHA, LINE_WIDTH, scenePalette, SHADOW_ALPHA } from './scene-palette.js';
import { makeRaster } from './scene-raster.js';

/// While a scene moves, a frame should take at most so many milliseconds; if it takes more, corners that are nearer to each
/// other than these pixels are left out, until it is faster again.
const FRAME_MS = 16, FAST_MS = 8, FINE_PIXELS = 1.5, COARSE_PIXELS = 12;

/// If that is not enough, so many pixels are drawn for one until the view rests.
const COARSE_RATIO = 0.7;

/// The least distance of corners for the next frame, after one that has taken so many milliseconds.
export const nextDetail = (pixels, milliseconds) => milliseconds > FRAME_MS ? Math.min(COARSE_PIXELS, pixels * 1.4)
  : milliseconds < FAST_MS ? Math.max(FINE_PIXELS, pixels / 1.2) : pixels;

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

const channels = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/// The panels of curtains, from far to near: between which corners they are, and of which track. A single corner is a panel.
function panelsOf(corners, projection, pixels, least) {
  const from = [], to = [], tracks = [], depths = [];
  const depth = (corner) => projection.depth(corners.east[corner], corners.north[corner]);
  for (const { track, from: first, to: end } of corners.segments) {
    const kept = seenCorners(pixels.x, pixels.foot, pixels.head, first, end, least);
    for (let index = kept.length === 1 ? 0 : 1; index < kept.length; index++) {
      from.push(kept[Math.max(0, index - 1)]);
      to.push(kept[index]);
      tracks.push(track);
      depths.push(depth(kept[Math.max(0, index - 1)]) + depth(kept[index]));
    }
  }
  return { from, to, tracks, order: farToNear(Float64Array.from(depths)) };
}

/// Draws the shadows of tracks and, from far to near, the areas between tracks and ground with the tracks on top, on a raster.
/// `ratio` are its pixels for one of the page; of corners that are nearer to each other than `detail`, in pixels of the page, some
/// are left out.
export function rasterScene(raster, { corners, projection, stretch, theme, detail }, ratio) {
  const { x, foot, head } = projectCorners(corners, stretch, projection), palette = scenePalette(theme);
  const { from, to, tracks, order } = panelsOf(corners, projection, { x, foot, head }, detail);
  const colors = palette.tracks.map(channels), ink = channels(palette.ink), isFlat = projection.up === 0;
  for (const one of [x, foot, head]) for (let index = 0; index < one.length; index++) one[index] *= ratio;
  const radius = LINE_WIDTH / 2 * ratio, shadow = (LINE_WIDTH + 1) / 2 * ratio;
  // From above, the shadow would be the line itself.
  for (let panel = 0; panel < from.length && !isFlat; panel++) {
    const [one, other] = [from[panel], to[panel]];
    raster.line(x[one], foot[one], x[other], foot[other], shadow, ink, SHADOW_ALPHA, true);
  }
  const shade = [0, 0, 0];
  for (const panel of order) {
    const one = from[panel], other = to[panel], color = colors[tracks[panel] % colors.length];
    if (!isFlat) {
      // As if light came from the left.
      const run = Math.hypot(x[other] - x[one], foot[other] - foot[one]);
      const light = run > 0 ? 0.72 + 0.28 * Math.abs(x[other] - x[one]) / run : 0.86;
      for (let channel = 0; channel < 3; channel++) shade[channel] = color[channel] * light;
      raster.curtain(x[one], foot[one], head[one], x[other], foot[other], head[other], shade, CURTAIN_ALPHA);
    }
    raster.line(x[one], head[one], x[other], head[other], radius, color, 1);
  }
}

/// What draws scenes on a canvas.
export function makeSolid(canvas) {
  const context = canvas.getContext('2d');
  let raster = null, image = null, words = null, detail = FINE_PIXELS, isCoarse = false;
  return {
    /// Draws a frame; `ratio` are pixels for one of the page.
    draw(frame, given) {
      isCoarse = frame.isMoving && (isCoarse || detail > 2 * FINE_PIXELS);
      const ratio = isCoarse ? given * COARSE_RATIO : given;
      const [width, height] = [frame.width, frame.height].map((side) => Math.round(side * ratio));
      if (raster?.width !== width || raster.height !== height) {
        [canvas.width, canvas.height] = [width, height];
        raster = makeRaster(width, height);
        image = context.createImageData(width, height);
        words = new Uint32Array(image.data.buffer);
      }
      const began = performance.now();
      rasterScene(raster, { ...frame, detail: frame.isMoving ? detail : FINE_PIXELS }, ratio);
      if (frame.isMoving) detail = nextDetail(detail, performance.now() - began);
      raster.write(words);
      raster.clear();
      context.putImageData(image, 0, 0);
    },
  };
}
