// Draws curtains and lines into pixels. As the sides of curtains are upright, this takes a loop over their columns: that is
// much faster than paths of a canvas, of which tens of thousands would be needed, and the same on every machine.

/// Alpha is counted in 256ths.
const OPAQUE = 256;
/// A line is drawn so many pixels beyond its sides: for its soft edges.
const SOFT = 0.5;
/// Steps of the soft edges of lines.
const STEPS = 32;

/// A pixel of a colour at an alpha, premultiplied: red in the lowest byte, alpha in the highest one.
const packed = (color, alpha) => (255 * alpha >> 8) << 24 | (color[2] * alpha >> 8) << 16 | (color[1] * alpha >> 8) << 8 | color[0] * alpha >> 8;

/// A picture of some width and height to draw on. Its pixels are kept by columns. Colours are arrays of red, green and blue, 0…255.
export function makeRaster(width, height) {
  // Whole numbers of 31 bits and a sign are the fastest ones of JavaScript.
  const pixels = new Int32Array(width * height), tops = new Int32Array(width).fill(height), bottoms = new Int32Array(width).fill(-1);
  /// For a colour and an alpha, the pixels of soft edges, from none of it to all of it.
  const edges = new Map();

  function edgesOf(color, alpha) {
    let found = edges.get(color);
    if (found?.alpha !== alpha) {
      const alphas = Int32Array.from({ length: STEPS + 1 }, (_, step) => Math.round(alpha * OPAQUE * step / STEPS));
      edges.set(color, found = { alpha, alphas, colors: Int32Array.from(alphas, (one) => packed(color, one)) });
    }
    return found;
  }

  /// A colour, premultiplied, over a pixel.
  const over = (below, color, rest) => below === 0 ? color
    : color + (Math.imul(below & 0xff00ff, rest) >>> 8 & 0xff00ff) + (Math.imul(below >>> 8 & 0xff00ff, rest) & 0xff00ff00) | 0;

  /// Blends a colour over the pixels of a column from one to another, both included.
  function blend(column, from, to, color, alpha) {
    const start = column * height, rest = OPAQUE - alpha;
    if (from < tops[column]) tops[column] = from;
    if (to > bottoms[column]) bottoms[column] = to;
    for (let at = start + from, end = start + to; at <= end; at++) pixels[at] = over(pixels[at], color, rest);
  }

  /// The part of a column between two heights, with soft ends.
  function span(column, top, bottom, color, alpha) {
    const first = Math.floor(top), last = Math.ceil(bottom) - 1;
    if (last < 0 || first >= height || alpha < 1) return;
    if (first >= last) {
      part(column, first, color, alpha * (bottom - top));
      return;
    }
    part(column, first, color, alpha * (first + 1 - top));
    part(column, last, color, alpha * (bottom - last));
    const from = Math.max(0, first + 1), to = Math.min(height - 1, last - 1);
    if (from <= to) blend(column, from, to, packed(color, alpha), alpha);
  }

  function part(column, row, color, alpha) {
    const whole = Math.round(alpha);
    if (row >= 0 && row < height && whole > 0) blend(column, row, row, packed(color, whole), whole);
  }

  /// Fills the area between the ground and a line, from one upright side, at x, to another one.
  function curtain(x, foot, head, otherX, otherFoot, otherHead, color, alpha) {
    if (x > otherX) {
      curtain(otherX, otherFoot, otherHead, x, foot, head, color, alpha);
      return;
    }
    // A column belongs to the curtain in which its middle lies: where two touch, there is neither a gap nor a seam.
    const run = otherX - x, whole = Math.round(alpha * OPAQUE), last = Math.min(width, Math.ceil(otherX - 0.5));
    for (let column = Math.max(0, Math.ceil(x - 0.5)); column < last; column++) {
      const share = (column + 0.5 - x) / run;
      const low = foot + (otherFoot - foot) * share, high = head + (otherHead - head) * share;
      span(column, Math.min(low, high), Math.max(low, high), color, whole);
    }
  }

  /// Draws a line with round ends. With `isShadow`, pixels do not become darker where it crosses itself.
  function line(x, y, otherX, otherY, radius, color, alpha, isShadow = false) {
    const dx = otherX - x, dy = otherY - y, square = dx * dx + dy * dy, reach = radius + SOFT, { alphas, colors } = edgesOf(color, alpha);
    const low = Math.min(y, otherY) - reach, high = Math.max(y, otherY) + reach;
    const isUpright = Math.abs(dx) < 0.001, tall = isUpright ? 0 : reach * Math.sqrt(square) / Math.abs(dx);
    const outer = (radius + 0.5) ** 2, inner = Math.max(0, radius - 0.5) ** 2, factor = square > 0 ? 1 / square : 0;
    const last = Math.min(width - 1, Math.ceil(Math.max(x, otherX) + reach));
    for (let column = Math.max(0, Math.floor(Math.min(x, otherX) - reach)); column <= last; column++) {
      const across = column + 0.5 - x, middle = isUpright ? 0 : y + across * dy / dx;
      // A steep line is near in many rows of a column, a flat one in few.
      const from = Math.max(0, Math.floor(isUpright ? low : Math.max(low, middle - tall)));
      const to = Math.min(height - 1, Math.ceil(isUpright ? high : Math.min(high, middle + tall)));
      if (from > to) continue;
      if (from < tops[column]) tops[column] = from;
      if (to > bottoms[column]) bottoms[column] = to;
      for (let row = from, at = column * height + from; row <= to; row++, at++) {
        const down = row + 0.5 - y, share = Math.min(1, Math.max(0, (across * dx + down * dy) * factor));
        const right = across - share * dx, below = down - share * dy, apart = right * right + below * below;
        if (apart >= outer) continue;
        const step = apart <= inner ? STEPS : Math.round((radius + 0.5 - Math.sqrt(apart)) * STEPS) | 0, strength = alphas[Math.min(STEPS, step)];
        if (!isShadow) pixels[at] = strength === OPAQUE ? colors[STEPS] : over(pixels[at], colors[Math.min(STEPS, step)], OPAQUE - strength);
        else if (pixels[at] >>> 24 < 255 * strength >> 8) pixels[at] = colors[Math.min(STEPS, step)];
      }
    }
  }

  return {
    width, height, curtain, line,
    /// Writes what was drawn into pixels by rows, whose colours are not premultiplied.
    write(target) {
      target.fill(0);
      for (let column = 0; column < width; column++) {
        for (let row = tops[column], at = column * height + row; row <= bottoms[column]; row++, at++) {
          const color = pixels[at], alpha = color >>> 24;
          if (alpha >= 254) target[row * width + column] = color | 0xff000000;
          else if (alpha > 0) {
            const factor = 255 / alpha, red = (color & 255) * factor + 0.5, green = (color >>> 8 & 255) * factor + 0.5;
            const blue = (color >>> 16 & 255) * factor + 0.5;
            target[row * width + column] = alpha << 24 | Math.min(255, blue) << 16 | Math.min(255, green) << 8 | Math.min(255, red);
          }
        }
      }
    },
    /// Removes what was drawn.
    clear() {
      for (let column = 0; column < width; column++) {
        if (bottoms[column] >= 0) pixels.fill(0, column * height + tops[column], column * height + bottoms[column] + 1);
      }
      tops.fill(height);
      bottoms.fill(-1);
    },
  };
}
