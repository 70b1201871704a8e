/// Turns of the elevation smaller than this many metres are noise of the receiver; the server's statistics use the same
/// number.
const TURN_METRES = 5;
/// Slower movement, in m/s, is a rest.
const MOVING_SPEED = 0.5;
/// Speeds that were not recorded are computed over this time, because two points in a row are too inexact.
const SPEED_WINDOW_MS = 10_000;
/// Samples of a profile: more than there are pixels.
const MAX_SAMPLES = 600;
/// The profiles of tracks with more points take megabytes: they are not loaded unless the reader asks for them.
export const MAX_POINTS = 150_000;
/// Charts show at least these spans, in metres, m/s and beats per minute, so that noise does not look like mountains.
export const MIN_SPAN = { elevation: 20, speed: 1, heartRate: 20 };
/// The mean radius of the Earth (IUGG), in metres.
const EARTH_RADIUS = 6_371_008.8;

const radians = (degrees) => degrees * Math.PI / 180;

/// The distance of two places, [longitude, latitude], in metres on a sphere.
export function distance([west, south], [east, north]) {
  const haversine = Math.sin(radians(north - south) / 2) ** 2
    + Math.cos(radians(south)) * Math.cos(radians(north)) * Math.sin(radians(east - west) / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

const finite = (value) => typeof value === 'number' && Number.isFinite(value) ? value : NaN;

/// The points of a track as GeoJSON (a line), in order: place, time in milliseconds, elevation, recorded speed, heart
/// rate, metres from the start, and whether a segment begins there. What is not known is NaN.
export function pointsOf({ geometry, properties }) {
  const lines = geometry?.type === 'MultiLineString' ? geometry.coordinates : [];
  const { times, ele, hr, speed } = properties.coordinateProperties ?? {};
  const points = [];
  let metres = 0;
  lines.forEach((line, segment) => line.forEach((place, index) => {
    const at = (series) => series?.[segment]?.[index];
    if (index > 0) metres += distance(line[index - 1], place);
    const rate = finite(at(hr));
    points.push({
      place, metres, isStart: index === 0,
      time: Date.parse(at(times) ?? ''), elevation: finite(place[2] ?? at(ele)), speed: finite(at(speed)),
      // Sensors that have no contact record 0.
      heartRate: rate > 0 ? rate : NaN,
    });
  }));
  return withSpeeds(points);
}

/// The points with the speed between places around them where none was recorded.
function withSpeeds(points) {
  const hasRecorded = points.some(({ speed }) => speed > 0);
  if (hasRecorded) return points;
  let first = 0;
  points.forEach((point, index) => {
    if (point.isStart) first = index;
    while (first < index && point.time - points[first + 1].time >= SPEED_WINDOW_MS) first += 1;
    const seconds = (point.time - points[first].time) / 1000;
    point.speed = seconds > 0 ? (point.metres - points[first].metres) / seconds : NaN;
  });
  return points;
}

/// Metres climbed and descended between turning points, as the server counts climbs; undefined without elevations. Each
/// point has an elevation, or NaN, and says whether it begins a segment.
export function climbs(points) {
  let up = 0, down = 0, low = NaN, high = NaN, way = 0, count = 0, begins = true;
  const end = () => {
    if (way > 0) up += high - low;
    if (way < 0) down += high - low;
  };
  for (const { elevation, isStart } of points) {
    begins ||= isStart;
    if (!Number.isFinite(elevation)) continue;
    count += 1;
    if (begins) {
      end();
      begins = false;
      [low, high, way] = [elevation, elevation, 0];
    } else if (way >= 0 && high - elevation >= TURN_METRES) {
      end();
      [low, way] = [elevation, -1];
    } else if (way <= 0 && elevation - low >= TURN_METRES) {
      end();
      [high, way] = [elevation, 1];
    } else {
      // On the way up, the lowest point stays what it was; on the way down, the highest.
      if (way <= 0) low = Math.min(low, elevation);
      if (way >= 0) high = Math.max(high, elevation);
    }
  }
  end();
  return count > 1 ? { up, down } : undefined;
}

/// The greatest of some numbers, of which there may be too many for `Math.max`; undefined if there is none.
const greatest = (values) => values.reduce((most, value) => value > (most ?? -Infinity) ? value : most, undefined);

/// Figures of a track from its points; those that cannot be known are undefined.
export function figures(points) {
  const timed = points.filter(({ time }) => Number.isFinite(time));
  let moving = 0, movingMetres = 0;
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (!before || point.isStart) return;
    const seconds = (point.time - before.time) / 1000, metres = point.metres - before.metres;
    if (!(seconds > 0) || metres / seconds < MOVING_SPEED) return;
    moving += seconds;
    movingMetres += metres;
  });
  const rates = points.map(({ heartRate }) => heartRate).filter(Number.isFinite);
  const elevations = points.map(({ elevation }) => elevation).filter(Number.isFinite);
  return {
    metres: points.at(-1)?.metres ?? 0,
    seconds: timed.length > 1 ? (timed.at(-1).time - timed[0].time) / 1000 : undefined,
    movingSeconds: timed.length > 1 ? moving : undefined,
    averageSpeed: moving > 0 ? movingMetres / moving : undefined,
    maximumSpeed: greatest(points.map(({ speed }) => speed)),
    climb: climbs(points),
    lowest: elevations.length > 0 ? -greatest(elevations.map((elevation) => -elevation)) : undefined,
    highest: greatest(elevations),
    averageRate: rates.length > 0 ? rates.reduce((sum, rate) => sum + rate, 0) / rates.length : undefined,
    maximumRate: greatest(rates),
  };
}

const mean = (values) => {
  const known = values.filter(Number.isFinite);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : NaN;
};

/// At most `limit` samples for a chart, one for each of as many equal parts of the distance: means of the points in the
/// part, and the place and the time of its middle point. If there is no distance, the points are divided equally.
export function samples(points, limit = MAX_SAMPLES) {
  const whole = points.at(-1)?.metres ?? 0;
  const parts = [];
  points.forEach((point, index) => {
    const share = whole > 0 ? point.metres / whole : index / points.length;
    const number = points.length <= limit ? index : Math.min(limit - 1, Math.floor(share * limit));
    if (parts.at(-1)?.number === number) parts.at(-1).points.push(point);
    else parts.push({ number, points: [point] });
  });
  return parts.map(({ points: some }) => {
    const middle = some[some.length >> 1];
    return {
      place: middle.place, time: middle.time, metres: middle.metres,
      elevation: mean(some.map(({ elevation }) => elevation)), speed: mean(some.map(({ speed }) => speed)),
      heartRate: mean(some.map(({ heartRate }) => heartRate)), isStart: some.some(({ isStart }) => isStart),
    };
  });
}
