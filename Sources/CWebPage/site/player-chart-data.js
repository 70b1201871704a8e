/// The parts of the playing time that have a value of their own: more than there are pixels.
const BINS = 1200;
/// Between two labels of dates there are at least so many pixels.
const LABEL_PIXELS = 90;

/// The profile of what is played, along its playing time: means of elevation in metres and of speed in m/s in equal parts
/// of it. What is not known, or has not been added yet, is NaN.
export function makeProfile(playingTime) {
  const sums = { elevation: new Float64Array(BINS), speed: new Float64Array(BINS) };
  const counts = { elevation: new Uint32Array(BINS), speed: new Uint32Array(BINS) };
  const binAt = (position) => Math.min(BINS - 1, Math.max(0, Math.floor(position / Math.max(1, playingTime.length) * BINS)));
  return {
    /// Adds the points, as `pointsOf` returns them, of the track with an index in the manifest.
    add(track, points) {
      const stretches = playingTime.stretches.filter((stretch) => stretch.track === track);
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

/// The labels of dates along a playing time that is `width` pixels wide: [{share, text}], one where the text changes.
/// `dayOf` gives the day of an instant, and `write` its text: a date, or a time if `hasHours`, which is so if all is on
/// one day.
export function dateLabels(playingTime, width, dayOf, write) {
  if (playingTime.stretches.length === 0) return [];
  const steps = Math.max(1, Math.floor(width / LABEL_PIXELS)), labels = [];
  const hasHours = dayOf(playingTime.at(0).instant) === dayOf(playingTime.at(playingTime.length).instant);
  for (let step = 0; step < steps; step++) {
    const share = step / steps, text = write(playingTime.at(share * playingTime.length).instant, hasHours);
    if (labels.at(-1)?.text !== text) labels.push({ share, text });
  }
  return labels;
}
