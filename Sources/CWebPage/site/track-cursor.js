// The place of the selected track that the reader points at: on its profile, on the map or in the 3-D view. The others
// show it, too.

const listeners = new Set();

/// Calls `moved` with each place that another one than its own source points at, { place: [longitude, latitude], time },
/// and with null when none is pointed at. Returns how its own places are told, and how it ends.
export function joinCursor(moved) {
  listeners.add(moved);
  return {
    tell(at) {
      for (const other of listeners) if (other !== moved) other(at);
    },
    leave: () => listeners.delete(moved),
  };
}
