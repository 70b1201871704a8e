/// Tracks per request: a screenful without a filter, more when most of them will not match.
const PAGE_LENGTH = 60, SEARCH_LENGTH = 500;

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/// A test for tracks: all words of `text` occur in name, file, activity, tags, person, device or the names of its places,
/// without regard to case and accents, and the activity is `activity`, if they are given.
export function trackFilter({ text, activity }) {
  const words = plain(text).split(/\s+/).filter(Boolean), wanted = plain(activity.trim());
  return (track) => {
    const activities = [track.activity ?? '', track.activityRecorded ?? ''];
    if (wanted && !activities.some((one) => plain(one) === wanted)) return false;
    if (words.length === 0) return true;
    const { from, to, fromAddress, toAddress } = track.places ?? {};
    const texts = [track.name, track.source, ...activities, ...track.tags ?? [], track.person, track.device];
    const whole = plain([...texts, from, to, fromAddress, toAddress].filter(Boolean).join(' '));
    return words.every((word) => whole.includes(word));
  };
}

/// Tracks that match, newest first. `request({ limit, after })` returns a page of the server's list.
export function makeListing(request, { text = '', activity = '' } = {}) {
  const matches = trackFilter({ text, activity });
  const limit = text.trim() || activity ? SEARCH_LENGTH : PAGE_LENGTH;
  let waiting = [], after, isLast = false, read = 0;
  return {
    /// Whether it is certain that there are no more tracks: pages that were not requested may have none that match.
    isOver: () => isLast && waiting.length === 0,
    /// The number of tracks that were read from the server.
    read: () => read,
    /// The next tracks, at most `count`; fewer at the end. Calls `progress` after each page without enough of them, and
    /// stops if it returns false.
    async next(count, progress = () => true) {
      while (waiting.length < count && !isLast) {
        const page = await request({ limit, after });
        read += page.tracks.length;
        waiting.push(...page.tracks.filter(matches));
        after = page.next;
        isLast = !after;
        if (waiting.length < count && !isLast && !progress()) break;
      }
      return waiting.splice(0, count);
    },
  };
}
