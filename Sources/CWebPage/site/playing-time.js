/// Samples for one bar.
const SAMPLES_PER_BAR = 4;

/// The playing time of a manifest's tracks without gaps, one after another or all on one clock. Instants and positions
/// are in milliseconds.
export function makePlayingTime(manifest, isTogether) {
  const { from, to, points } = manifest.density;
  const stretches = isTogether ? united(manifest.tracks, from, to) : inRow(manifest.tracks, from, to);
  let length = 0;
  for (const stretch of stretches) {
    stretch.at = length;
    length += stretch.to - stretch.from;
  }
  const rates = density(stretches, from, to, points);

  function stretchAt(position) {
    let low = 0, high = stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (stretches[middle].at <= position) low = middle;
      else high = middle - 1;
    }
    return stretches[low];
  }

  return {
    length, stretches,
    /// The instant at a position, and the index of its track in the manifest (-1 if all are played on one clock).
    at(position) {
      const stretch = stretchAt(position);
      if (!stretch) return { instant: from, track: -1 };
      return { instant: Math.min(stretch.from + Math.max(0, position - stretch.at), stretch.to), track: stretch.track };
    },
    /// The position of an instant; if several tracks contain it, the position in the track with this id.
    position(instant, id) {
      const own = isTogether || id === undefined
        ? stretches : stretches.filter(({ track }) => manifest.tracks[track].track === id);
      const stretch = own.find((candidate) => candidate.to >= instant) || own.at(-1);
      if (!stretch) return 0;
      return stretch.at + Math.min(Math.max(instant, stretch.from), stretch.to) - stretch.from;
    },
    /// The density of points, 0…1, in each of `count` equal parts of the playing time.
    bars(count) {
      const bars = Array.from({ length: count }, (_, bar) => {
        let sum = 0;
        for (let sample = 0; sample < SAMPLES_PER_BAR; sample++) {
          const { instant } = this.at((bar + (sample + 0.5) / SAMPLES_PER_BAR) / count * length);
          sum += rates[binOf(instant, from, to, rates.length)];
        }
        return sum / SAMPLES_PER_BAR;
      });
      const most = Math.max(...bars) || 1;
      return bars.map((bar) => bar / most);
    },
  };
}

const binOf = (instant, from, to, count) =>
  Math.min(count - 1, Math.max(0, Math.floor((instant - from) / Math.max(1, to - from) * count)));

/// The stretches without a gap, track by track.
function inRow(tracks, from, to) {
  return tracks.flatMap((track, index) => {
    if (track.start === null) return [];
    const starts = [track.start, ...track.gaps.map((gap) => gap[1])];
    const ends = [...track.gaps.map((gap) => gap[0]), track.end];
    return starts.map((start, run) => ({ track: index, from: Math.max(start, from), to: Math.min(ends[run], to) }))
      .filter((stretch) => stretch.from <= stretch.to);
  });
}

/// The stretches with at least one track.
function united(tracks, from, to) {
  const united = [];
  for (const stretch of inRow(tracks, from, to).sort((one, other) => one.from - other.from)) {
    const last = united.at(-1);
    if (last && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else united.push({ ...stretch, track: -1 });
  }
  return united;
}

/// Points per millisecond of playing time, in each bin of the manifest's density.
function density(stretches, from, to, points) {
  const width = Math.max(1, to - from) / points.length;
  const played = points.map(() => 0);
  for (const stretch of stretches) {
    const last = binOf(stretch.to, from, to, points.length);
    for (let bin = binOf(stretch.from, from, to, points.length); bin <= last; bin++) {
      const begin = Math.max(stretch.from, from + bin * width);
      played[bin] += Math.max(0, Math.min(stretch.to, from + (bin + 1) * width) - begin);
    }
  }
  return points.map((count, bin) => count / Math.max(1000, played[bin]));
}
