/// The smallest box [west, south, east, north] around some boxes; null if there are none. Boxes that cross 180° have
/// west > east.
export function union(boxes) {
  if (boxes.length === 0) return null;
  const south = Math.min(...boxes.map((box) => box[1])), north = Math.max(...boxes.map((box) => box[3]));
  const spans = boxes.map(([west, , east]) => [west, east < west ? east + 360 : east]).sort((a, b) => a[0] - b[0]);
  const first = spans[0][0], last = Math.max(...spans.map(([, to]) => to));
  // The smallest box leaves out the widest gap between boxes. The first candidate is the gap across 180°, from the last
  // box to the first one.
  let [west, east, largest] = [first, last, first + 360 - last];
  // Boxes that cross 180° go on at -180°.
  let reach = last - 360;
  for (const [from, to] of spans) {
    if (from > first && from - reach > largest) [west, east, largest] = [from, reach, from - reach];
    reach = Math.max(reach, to);
  }
  if (largest <= 0) return [-180, south, 180, north];
  return [west, south, east > 180 ? east - 360 : east, north];
}
