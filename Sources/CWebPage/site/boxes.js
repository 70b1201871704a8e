/// The smallest box [west, south, east, north] around some of them; those that cross 180° have west > east. Null for none.
export function union(boxes) {
  if (boxes.length === 0) return null;
  const south = Math.min(...boxes.map((box) => box[1])), north = Math.max(...boxes.map((box) => box[3]));
  // Around the circle of longitudes, the largest stretch without a box stays outside.
  const spans = boxes.map(([west, , east]) => [west, east < west ? east + 360 : east]).sort((a, b) => a[0] - b[0]);
  let [reach, largest, west] = [spans[0][1], -1, spans[0][0]], east = reach;
  for (const [from, to] of spans.slice(1)) {
    if (from - reach > largest) [largest, west, east] = [from - reach, from, reach];
    reach = Math.max(reach, to);
  }
  const last = spans[0][0] + 360 - reach;
  if (last >= largest) [west, east] = [spans[0][0], reach];
  if (reach - spans[0][0] >= 360) return [-180, south, 180, north];
  // A box that crosses 180° may reach beyond the first of the others.
  if (west !== spans[0][0]) east = Math.max(east, reach - 360);
  const wrapped = (longitude) => longitude > 180 ? longitude - 360 : longitude;
  return [wrapped(west), south, wrapped(east), north];
}
