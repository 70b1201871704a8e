// What of a scene is drawn, and in which order.

/// Corners of a line that are nearer than this to the last one, in pixels, are not drawn: within one pixel, the line is
/// where it would be with them.
const NEAR_PIXELS = 1.5;
/// The bits of a depth that decide the order, sorted in two passes.
const PASS_BITS = 11, PASS = 1 << PASS_BITS;

/// The indices of `count` numbers from the greatest to the least, those of equal numbers in their own order. Numbers count
/// as equal if they differ by less than a four-millionth of their span.
export function farToNear(depths, count = depths.length) {
  let [least, most] = [Infinity, -Infinity];
  for (let index = 0; index < count; index++) {
    if (depths[index] < least) least = depths[index];
    if (depths[index] > most) most = depths[index];
  }
  const factor = most > least ? (PASS * PASS - 1) / (most - least) : 0;
  const keys = new Uint32Array(count);
  let order = new Uint32Array(count), next = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    keys[index] = (most - depths[index]) * factor;
    order[index] = index;
  }
  for (const shift of [0, PASS_BITS]) {
    const starts = new Uint32Array(PASS + 1);
    for (let index = 0; index < count; index++) starts[(keys[index] >> shift & PASS - 1) + 1] += 1;
    for (let key = 0; key < PASS; key++) starts[key + 1] += starts[key];
    for (let place = 0; place < count; place++) {
      const index = order[place];
      next[starts[keys[index] >> shift & PASS - 1]++] = index;
    }
    [order, next] = [next, order];
  }
  return order;
}

/// The corners from `from` up to, not including, `to` that can be told apart in the picture, as indices. `x`, `foot` and
/// `head` are the pixels of all corners: their heads are above their feet. The last corner is always kept.
export function seenCorners(x, foot, head, from, to, least = NEAR_PIXELS) {
  const kept = [], square = least * least;
  let last = -1;
  for (let index = from; index < to; index++) {
    if (last >= 0 && index < to - 1) {
      const dx = x[index] - x[last], low = foot[index] - foot[last], high = head[index] - head[last];
      if (dx * dx + low * low < square && dx * dx + high * high < square) continue;
    }
    kept.push(index);
    last = index;
  }
  return kept;
}

/// Which labels are drawn: those whose boxes [x, y, width, height] do not touch the box of one before them.
export function freeLabels(boxes) {
  const taken = [];
  return boxes.map(([x, y, width, height]) => {
    const isFree = taken.every(([left, top, wide, high]) =>
      x + width < left || left + wide < x || y + height < top || top + high < y);
    if (isFree) taken.push([x, y, width, height]);
    return isFree;
  });
}

/// The corners of a scene as the server sends it, in arrays, with the part of each height that a stretch of 1 has.
export function sceneCorners({ tracks, stretch }) {
  const rows = tracks.flatMap(({ segments }) => segments.flat());
  const numbers = (take) => Float64Array.from(rows, take);
  const segments = [];
  let start = 0;
  tracks.forEach((track, number) => {
    for (const { length } of track.segments) {
      segments.push({ track: number, from: start, to: start + length });
      start += length;
    }
  });
  return {
    count: rows.length, segments,
    east: numbers(([east]) => east), north: numbers(([, north]) => north),
    rise: numbers(([, , height]) => height / (stretch || 1)),
    value: numbers(([, , , value]) => value ?? NaN), time: numbers(([, , , , time]) => time ?? NaN),
  };
}

/// The corner of a scene nearest to an instant, or, without one, to a place in metres, [east, north]; -1 if there is none.
export function cornerAt({ count, east, north, time }, instant, place) {
  const isTimed = Number.isFinite(instant);
  let [found, least] = [-1, Infinity];
  for (let index = 0; index < count; index++) {
    const apart = isTimed ? Math.abs(time[index] - instant)
      : (east[index] - place[0]) ** 2 + (north[index] - place[1]) ** 2;
    if (apart < least) [found, least] = [index, apart];
  }
  return found;
}

/// The corner whose head is nearest to a pixel, at most `reach` pixels away; -1 if there is none.
export function headAt({ x, head }, [left, top], reach) {
  let [found, least] = [-1, reach ** 2];
  for (let index = 0; index < x.length; index++) {
    const apart = (x[index] - left) ** 2 + (head[index] - top) ** 2;
    if (apart < least) [found, least] = [index, apart];
  }
  return found;
}

/// What stands on the ground of a scene as the server sends it: full hours, marked points and photos.
export function scenePosts({ hours, posts, stretch }) {
  const post = ({ at: [[east, north, height]] }, more) => ({ place: [east, north], rise: height / (stretch || 1), ...more });
  return [
    ...hours.map((mark) => post(mark, { label: String(mark.hour).padStart(2, '0') + ':00', radius: 2.5, track: mark.track })),
    ...posts.map((one) => post(one, { label: one.label, radius: one.kind === 'photo' ? 5 : 3.5 })),
  ];
}
