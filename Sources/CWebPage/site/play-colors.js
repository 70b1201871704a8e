import { parameters, state } from './state.js';
import { byId, element } from './document.js';
import { activityColors, loadActivities } from './activities.js';
import { COLOR_COUNT } from './markers.js';
import { isTogether, isTrack } from './query.js';
import { replay } from './replay.js';

let wanted = 0;

/// Colours the trails of a replay of several tracks by activity, with a legend. Tracks on one clock keep colours of their
/// own, to be told apart.
export async function colorByActivity() {
  const own = wanted += 1, { markers, manifest } = replay;
  if (isTrack() || isTogether()) {
    show(new Map());
    markers.setColors(() => undefined);
    return;
  }
  const { only, play } = state;
  // Without activities, the replay is shown nevertheless.
  const activities = await loadActivities(parameters(['layer'], { from: play, to: only === '1' ? play : undefined }))
    .catch(() => new Map());
  if (own !== wanted || !state.play) return;
  const ids = manifest.tracks.map(({ track }) => track), colors = activityColors(ids, activities, COLOR_COUNT);
  markers.setColors((id) => colors.size === 0 || typeof id !== 'string' ? undefined
    : colors.get(activities.get(id)) ?? COLOR_COUNT - 1);
  show(colors, ids.some((id) => !colors.has(activities.get(id))));
}

function show(colors, hasOthers = false) {
  const list = byId('play-colors');
  const entries = [...colors, ...hasOthers ? [['other', COLOR_COUNT - 1]] : []];
  list.replaceChildren(...entries.map(([name, index]) => {
    const dot = element('i');
    dot.style.background = replay.markers.paint(index);
    return element('li', '', dot, name);
  }));
}
