import { latitudeOf, worldPoint, wrapLongitude } from './mercator.js';
import { distance } from './profile.js';

// Lengths along a route: where its places are, and what lies at a distance from its beginning. Between two corners a line is
// straight on the map. The server measures in the same way.

/// The corners of a line in the square of the world; x goes on beyond its edge, so that lines over 180° are not torn.
function unwrapped(line) {
  let last = null;
  return line.map((place) => {
    const [x, y] = worldPoint(place);
    return last = [last === null ? x : last[0] + ((x - last[0] + 0.5) % 1 + 1) % 1 - 0.5, y];
  });
}

/// The nearest point of a step of the line to a place, or the one at `given`, its part of the step, with the square of their
/// distance.
function beside([placeX, placeY], from, to, given) {
  // The copy of the place that is nearest to the step.
  const x = placeX - Math.round(placeX - from[0]) - from[0], y = placeY - from[1], [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const part = given ?? (square > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy) / square)) : 0);
  return { part, square: (x - part * dx) ** 2 + (y - part * dy) ** 2 };
}

/// Where places are along a line, in metres: each as near to it as their order allows, the sum of the squares of the
/// distances being the least. A line may pass a place several times.
function placesAlong(places, corners, metres) {
  const steps = Math.max(1, corners.length - 1), origins = [], parts = [];
  let sums = new Float64Array(steps), lastParts = new Float64Array(steps);
  for (const { lon, lat } of places) {
    const world = worldPoint([lon, lat]), next = new Float64Array(steps), origin = new Int32Array(steps), part = new Float64Array(steps);
    // The least sum with the place before beside an earlier step.
    let best = Infinity, bestStep = 0;
    for (let step = 0; step < steps; step++) {
      const end = corners[Math.min(step + 1, corners.length - 1)], free = beside(world, corners[step], end);
      // Beside the same step it cannot be before the last one.
      const bound = free.part >= lastParts[step] ? free : beside(world, corners[step], end, lastParts[step]);
      const isSame = sums[step] + bound.square <= best + free.square;
      [next[step], origin[step], part[step]] = isSame
        ? [sums[step] + bound.square, step, bound.part] : [best + free.square, bestStep, free.part];
      if (sums[step] < best) [best, bestStep] = [sums[step], step];
    }
    [sums, lastParts] = [next, part];
    origins.push(origin);
    parts.push(part);
  }
  let step = sums.indexOf(Math.min(...sums));
  const found = [];
  for (let place = places.length - 1; place >= 0; place--) {
    const end = Math.min(step + 1, metres.length - 1);
    found.unshift(metres[step] + (metres[end] - metres[step]) * parts[place][step]);
    step = origins[place][step];
  }
  return found.map((one, index) => Math.max(one, ...index > 0 ? [found[index - 1]] : []));
}

/// The measure of a route, whose journeys are `whole` metres long, if that is given, from the first place to the last.
export function measureOf({ line, places }, whole) {
  const corners = unwrapped(line), metres = [0];
  for (let index = 1; index < line.length; index++) metres.push(metres[index - 1] + distance(line[index - 1], line[index]));
  const along = placesAlong(places, corners, metres), start = along[0] ?? 0, length = (along.at(-1) ?? 0) - start;
  // The server measures on an ellipsoid.
  const factor = whole > 0 && length > 0 ? whole / length : 1;

  /// The corner before a distance of the journey, and the part of the way from it to the next.
  function position(done) {
    const wanted = start + Math.min(Math.max(0, done / factor), length);
    let [low, high] = [0, metres.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (metres[middle] <= wanted) low = middle;
      else high = middle;
    }
    const step = metres[high] - metres[low];
    return [low, step > 0 ? Math.min(1, (wanted - metres[low]) / step) : 0];
  }

  const placeOn = ([corner, part]) => {
    const [from, to] = [corners[corner], corners[Math.min(corner + 1, corners.length - 1)]];
    const [x, y] = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    return [x * 360 - 180, latitudeOf(y)];
  };

  return {
    /// Metres from the first place to each.
    places: along.map((one) => (one - start) * factor),
    length: length * factor,
    /// The place, [longitude, latitude], that lies so many metres from the first place.
    placeAt(done) {
      const [longitude, latitude] = placeOn(position(done));
      return [wrapLongitude(longitude), latitude];
    },
    /// The line from the first place to a distance, and from there to the last place; longitudes go on beyond 180°.
    parts(done) {
      const [[first, begin], [now, part], [last, end]] = [0, done, length * factor].map(position);
      const between = (from, to) => corners.slice(from + 1, to + 1).map(([x, y]) => [x * 360 - 180, latitudeOf(y)]);
      const middle = placeOn([now, part]);
      return [
        [placeOn([first, begin]), ...between(first, now), middle],
        [middle, ...between(now, last), placeOn([last, end])],
      ];
    },
  };
}
