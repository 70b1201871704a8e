/// The parts of the playing time that have a value of their own: more than there are pixels.
const BINS = 1200;
/// Between two labels of dates there are at least so many pixels.
const LABEL_PIXELS = 90;

/// The profile of what is played, along the playing time of a timeline: means of elevation in metres and of speed in m/s
/// in equal parts of it. What is not known, or has not been added yet, is NaN.
export function makeProfile(timeline) {
  const sums = { elevation: new Float64Array(BINS), speed: new Float64Array(BINS) };
  const counts = { elevation: new Uint32Array(BINS), speed: new Uint32Array(BINS) };
  const binAt = (position) => Math.min(BINS - 1, Math.max(0, Math.floor(position / Math.max(1, timeline.length) * BINS)));
  return {
    /// Adds the points, as `pointsOf` returns them, of the track with an index in the manifest.
    add(track, points) {
      const stretches = timeline.stretches.filter((stretch) => stretch.track === track);
      let before = null;
      for (const point of points) {
        const stretch = stretches.find(({ from, to }) => point.time >= from && point.time <= to);
        if (!stretch) {
          before = null;
          continue;
        }
        // The end of a stretch is where the next one begins.
        const bin = binAt(stretch.at + Math.min(point.time, stretch.to - 1) - stretch.from);
        // Between two points of a stretch, the first one's values hold.
        const from = before?.stretch === stretch ? before.bin + 1 : bin;
        for (const name of ['elevation', 'speed']) {
          for (let other = from; other < bin; other++) addValue(name, other, before.point[name]);
          addValue(name, bin, point[name]);
        }
        before = { stretch, bin, point };
      }
    },
    /// The means of `count` equal parts.
    values(name, count) {
      return Array.from({ length: count }, (_, index) => {
        const from = Math.floor(index / count * BINS), to = Math.max(from + 1, Math.floor((index + 1) / count * BINS));
        let [sum, known] = [0, 0];
        for (let bin = from; bin < to; bin++) {
          sum += sums[name][bin];
          known += counts[name][bin];
        }
        return known > 0 ? sum / known : NaN;
      });
    },
    /// The mean at a position of the playing time.
    at(name, position) {
      const bin = binAt(position);
      return sums[name][bin] / (counts[name][bin] || NaN);
    },
  };

  function addValue(name, bin, value) {
    if (!Number.isFinite(value)) return;
    sums[name][bin] += value;
    counts[name][bin] += 1;
  }
}

/// The index of the track to load next: the nearest one to the track `current` that is wanted, at most `reach` away;
/// tracks that are ahead come first. -1 if there is none.
export function nextTrack(current, count, reach, isWanted) {
  for (let away = 0; away <= reach; away++) {
    for (const index of [current + away, current - away]) {
      if (index >= 0 && index < count && isWanted(index)) return index;
    }
  }
  return -1;
}

/// The labels of dates along a timeline that is `width` pixels wide: [{share, text}], where the day that `dayOf` gives
/// for an instant changes, or the hour if all is on one day; `write` gives the text of an instant, with the hour or not.
export function dateLabels(timeline, width, dayOf, write) {
  if (timeline.stretches.length === 0) return [];
  const steps = Math.max(1, Math.floor(width / LABEL_PIXELS)), labels = [];
  const first = timeline.at(0).instant, last = timeline.at(timeline.length).instant, hasHours = dayOf(first) === dayOf(last);
  for (let step = 0; step < steps; step++) {
    const share = step / steps, text = write(timeline.at(share * timeline.length).instant, hasHours);
    if (labels.at(-1)?.text !== text) labels.push({ share, text });
  }
  return labels;
}
