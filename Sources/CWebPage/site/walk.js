/// Metres in a degree of latitude.
const METRES_PER_DEGREE = 111_200;

const distance = ([x, y], [otherX, otherY]) =>
  Math.hypot((x - otherX) * Math.cos(y * Math.PI / 180), y - otherY) * METRES_PER_DEGREE;

/// Where somebody is on a line after a share, 0…1, of its length.
function placeOn(line, share) {
  const lengths = line.slice(1).map((place, index) => distance(line[index], place));
  let rest = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [index, length] of lengths.entries()) {
    if (rest <= length && length > 0) {
      const part = rest / length, [from, to] = [line[index], line[index + 1]];
      return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    }
    rest -= length;
  }
  return line.at(-1);
}

/// The seconds of all legs of a way.
export const walkSeconds = (legs) => legs.reduce((sum, { seconds }) => sum + seconds, 0);

/// The second at which a leg begins.
export const legStart = (legs, index) => walkSeconds(legs.slice(0, index));

/// The level at which a leg ends; null outdoors. Only stairs, lifts and the like end on another one.
const endOf = ({ level, endLevel = level }) => endLevel;

/// Where somebody who goes a way is after some seconds: { leg, place: [longitude, latitude], level }. The level is null
/// outdoors; on stairs and in lifts it changes halfway.
export function momentAt(legs, seconds) {
  let leg = 0, begun = 0;
  while (leg < legs.length - 1 && seconds >= begun + legs[leg].seconds) {
    begun += legs[leg].seconds;
    leg += 1;
  }
  const { line, seconds: whole, level } = legs[leg];
  const share = whole > 0 ? Math.max(0, Math.min(1, (seconds - begun) / whole)) : 1;
  return { leg, place: placeOn(line, share), level: share < 0.5 ? level : endOf(legs[leg]) };
}

/// The lines of a way, each of the legs that follow each other on a level: { level, line }.
export function levelLines(legs) {
  const lines = [];
  for (const leg of legs) {
    const { level, line } = leg, last = lines.at(-1);
    if (last && last.level === level) last.line.push(...line);
    else lines.push({ level, line: [...line] });
    // Who leaves stairs on another level arrives there at their end.
    if (endOf(leg) !== level) lines.push({ level: endOf(leg), line: [line.at(-1)] });
  }
  return lines.filter(({ line }) => line.length > 1);
}

/// Where a way leaves a level: { place, level, to } for each change.
export function levelChanges(legs) {
  return legs.flatMap((leg) => {
    const { level, line } = leg, to = endOf(leg);
    return to !== level && level && to ? [{ place: line[0], level, to }] : [];
  });
}

/// The box [west, south, east, north] around legs.
export function boxOf(legs) {
  const places = legs.flatMap(({ line }) => line), [x, y] = [0, 1].map((index) => places.map((place) => place[index]));
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}
