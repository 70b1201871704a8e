import { get } from './server.js';

/// Tracks per request, and requests for one replay: as many tracks as a manifest lists.
const PAGE = 1000, MAX_PAGES = 5;

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

/// Which of `count` colours each activity has, the most frequent ones first; the last colour is for all others.
export function activityColors(ids, activities, count) {
  const tracks = new Map();
  for (const id of ids) {
    const activity = activities.get(id);
    if (activity) tracks.set(activity, (tracks.get(activity) ?? 0) + 1);
  }
  const named = [...tracks].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).map(([name]) => name);
  return new Map(named.slice(0, count - 1).map((name, index) => [name, index]));
}
