import { known } from './state.js';
import { get } from './server.js';

/// Tracks per request, and requests at most: a manifest of a replay lists no more tracks than they return.
const PAGE = 1000, MAX_PAGES = 5;
const COLORS = {
  light: ['#0067d9', '#c2410c', '#0f7a4d', '#8a2be2', '#9a6700', '#be185d', '#0e7490', '#4b5563'],
  dark: ['#5cc8ff', '#ffb454', '#5ee6a8', '#d5a6ff', '#f4e04d', '#ff8fc0', '#7dd3fc', '#d4d4d8'],
};

/// The number of colours that trails can have.
export const COLOR_COUNT = COLORS.light.length;

/// The CSS colour with an index, for the background of the map.
export const trailColor = (index) => COLORS[known.theme ? 'dark' : 'light'][index];

/// The activities of tracks by id, from the server's list of those that `parameters` choose.
export async function loadActivities(parameters) {
  const found = new Map();
  let after;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { tracks, next } = await get('v1/tracks', { ...parameters, limit: PAGE, after });
    for (const { id, activity } of tracks) if (activity) found.set(id, activity);
    if (!next) break;
    after = next;
  }
  return found;
}

/// The index of the colour of each activity, of `count` colours: the most frequent activities have their own, and the
/// last colour is for all others.
export function activityColors(ids, activities, count = COLOR_COUNT) {
  const tracks = new Map();
  for (const id of ids) {
    const activity = activities.get(id);
    if (activity) tracks.set(activity, (tracks.get(activity) ?? 0) + 1);
  }
  const sorted = [...tracks].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  return new Map(sorted.slice(0, count - 1).map(([name], index) => [name, index]));
}

/// The index of the colour of a track, from `activityColors`.
export const colorOfTrack = (id, activities, colors) => colors.get(activities.get(id)) ?? COLOR_COUNT - 1;

/// The colours of activities for a legend: [name, CSS colour]; `hasOthers` adds the colour for all others.
export const colorNames = (colors, hasOthers) =>
  [...colors, ...hasOthers ? [['other', COLOR_COUNT - 1]] : []].map(([name, index]) => [name, trailColor(index)]);
