// The parallel projection of a scene, as the server's pictures have it. Places are metres to the east and to the north of
// the scene's centre, on the map at the equator, and heights above the ground in the same unit.

/// Of the picture's sides, around what is shown.
const MARGIN = 0.06;
/// A single point is shown with so many metres around it.
const LEAST_METRES = 500;

const radians = (degrees) => degrees * Math.PI / 180;

/// The projection for a view, { azimuth, tilt } in degrees, at `scale` pixels for a metre, with the scene's centre at the
/// pixel `origin`.
export function makeProjection({ azimuth, tilt }, scale, [x, y]) {
  const sine = Math.sin(radians(azimuth)), cosine = Math.cos(radians(azimuth));
  const ground = Math.sin(radians(tilt));
  // cos(90°) is not exactly 0 as a number.
  const rise = tilt === 90 ? 0 : Math.cos(radians(tilt));
  const across = [cosine * scale, -sine * scale], down = [-sine * ground * scale, -cosine * ground * scale];
  return {
    scale, origin: [x, y],
    /// Pixels to the right for a metre eastwards and northwards.
    across,
    /// Pixels downwards for a metre eastwards and northwards, and upwards for a metre of height.
    down, up: rise * scale,
    /// The pixel of a place at a height.
    pixel: (east, north, height = 0) =>
      [x + east * across[0] + north * across[1], y + east * down[0] + north * down[1] - height * rise * scale],
    /// How far away a place is: what is farther is drawn first.
    depth: (east, north) => east * sine + north * cosine,
    /// The place on the ground at a pixel, [east, north].
    place(left, top) {
      const right = (left - x) / scale, away = (y - top) / scale / ground;
      return [right * cosine + away * sine, -right * sine + away * cosine];
    },
  };
}

/// The projection in which places fit into a picture of some width and height with its margins. `east`, `north` and
/// `height` are arrays of as many numbers; each place is shown at its height and on the ground.
export function fittedProjection(view, { east, north, height }, width, pictureHeight) {
  const unit = makeProjection(view, 1, [0, 0]), { across, down, up } = unit;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let index = 0; index < east.length; index++) {
    const x = east[index] * across[0] + north[index] * across[1];
    const foot = east[index] * down[0] + north[index] * down[1], head = foot - height[index] * up;
    if (x < left) left = x;
    if (x > right) right = x;
    if (head < top) top = head;
    if (foot > bottom) bottom = foot;
    // A height below the ground has its foot above its head.
    if (foot < top) top = foot;
    if (head > bottom) bottom = head;
  }
  if (left > right) [left, right, top, bottom] = [0, 0, 0, 0];
  const inner = 1 - 2 * MARGIN;
  const scale = Math.min(width * inner / Math.max(right - left, LEAST_METRES),
    pictureHeight * inner / Math.max(bottom - top, LEAST_METRES));
  return makeProjection(view, scale,
    [width / 2 - (left + right) / 2 * scale, pictureHeight / 2 - (top + bottom) / 2 * scale]);
}

/// The view after a turn and a change of the tilt, within what the server draws.
export const turned = ({ azimuth, tilt }, degrees, upwards) => ({
  azimuth: ((azimuth + degrees) % 360 + 360) % 360, tilt: Math.min(90, Math.max(10, tilt + upwards)),
});

const DIRECTIONS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

/// The direction of an azimuth in words.
export const directionText = (azimuth) => DIRECTIONS[Math.round(azimuth / 45) % 8];
