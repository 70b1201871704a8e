/// What is being played; shared by the modules of the replay.
export const replay = {
  /// The markers on the map.
  markers: null,
  /// What the server says about it, the tracks by id, and the playing time.
  manifest: null, names: new Map(), timeline: null,
  isPlaying: false, isOver: false,
  /// Whether the stream only shows where the marker is.
  isPreviewing: false,
  /// Whether the map still has to be moved to the first track.
  wantsView: false,
  /// The event to continue after, with its query.
  cursor: null,
  /// The instant that times in frames are relative to.
  base: 0,
  /// The instant at which it starts, if it is not the beginning.
  startInstant: undefined,
  /// The instant that the stream was asked to begin at, until its first track has come.
  soughtInstant: undefined,
  /// The current position: instant, track, speed, metres.
  now: null,
  isFromBeginning: false,
  /// The last frame of each track; how many frames were shown, and how many came twice.
  seen: new Map(), frames: 0, doubled: 0,
};

/// The functions of the player that events and the slider call: `player.js` imports the modules that call them.
export const player = {};
