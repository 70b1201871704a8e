import { union } from './boxes.js';

/// Tracks that are at most so far apart are at one place. A box that is wider, such as that of a flight, connects nothing.
const APART_KM = 40, WIDEST_KM = 500;
/// Kilometres of one degree of latitude.
const DEGREE_KM = 111.2;

const middleOf = (low, high) => (low + high) / 2;

/// How far two boxes are apart, in kilometres; 0 if they touch.
function distance(one, other) {
  const scale = Math.cos(middleOf(one[1], other[3]) * Math.PI / 180);
  const gap = (low, high, otherLow, otherHigh) => Math.max(0, otherLow - high, low - otherHigh);
  const across = Math.min(...[-360, 0, 360].map((turn) => gap(one[0], one[2], other[0] + turn, other[2] + turn)));
  return Math.hypot(across * scale, gap(one[1], one[3], other[1], other[3])) * DEGREE_KM;
}

const isWide = ([west, south, east, north]) =>
  west > east || Math.max((east - west) * Math.cos(middleOf(south, north) * Math.PI / 180), north - south) * DEGREE_KM > WIDEST_KM;

/// The most frequent name of a town where tracks begin or end; else a position.
function nameOf(tracks, [west, south, east, north]) {
  const counts = new Map();
  for (const { places } of tracks) {
    for (const name of [places?.from, places?.to]) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [best] = [...counts].sort((one, other) => other[1] - one[1]);
  return best?.[0] ?? `${middleOf(south, north).toFixed(1)}, ${middleOf(west, east).toFixed(1)}`;
}

/// The places where tracks are, the one with the most tracks first: the `name`, `count` and `box` of each.
export function placesOf(tracks) {
  const some = tracks.filter(({ bbox }) => bbox && !isWide(bbox));
  const groups = [];
  for (const track of some) {
    const near = groups.filter(({ boxes }) => boxes.some((box) => distance(box, track.bbox) <= APART_KM));
    const joined = { tracks: [track, ...near.flatMap((group) => group.tracks)], boxes: [track.bbox, ...near.flatMap((group) => group.boxes)] };
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  const points = (group) => group.tracks.reduce((sum, track) => sum + (track.points ?? 0), 0);
  return groups.sort((one, other) => other.tracks.length - one.tracks.length || points(other) - points(one))
    .map((group) => {
      const box = union(group.boxes);
      return { name: nameOf(group.tracks, box), count: group.tracks.length, box };
    });
}
