import { parameters, state } from './state.js';
import { byId, element, swatch } from './document.js';
import { activityColors, colorNames, colorOfTrack, loadActivities } from './trail-colors.js';
import { isTogether, isTrack } from './query.js';
import { replay } from './replay.js';

let requests = 0;

/// Colours the trails of a replay of several tracks by activity, with a legend. Tracks on one clock each have a colour of
/// their own, so that they can be told apart.
export async function colorByActivity() {
  const own = requests += 1, { markers, manifest } = replay;
  if (isTrack() || isTogether()) {
    show([]);
    markers.setColors(() => undefined);
    return;
  }
  const { only, play } = state;
  // Without activities, the replay is shown nevertheless.
  const activities = await loadActivities(parameters(['layer'], { from: play, to: only === '1' ? play : undefined }))
    .catch(() => new Map());
  if (own !== requests || !state.play) return;
  const ids = manifest.tracks.map(({ track }) => track), colors = activityColors(ids, activities);
  markers.setColors((id) => colors.size === 0 || typeof id !== 'string' ? undefined : colorOfTrack(id, activities, colors));
  show(colorNames(colors, ids.some((id) => !colors.has(activities.get(id)))));
}

function show(names) {
  byId('play-colors').replaceChildren(...names.map(([name, color]) => element('li', '', swatch(color), name)));
}
