/// What is being played; shared by the modules of the replay.
export const replay = {
  /// The markers on the map.
  markers: null,
  /// The server's manifest, its tracks by id, and its playing time.
  manifest: null, names: new Map(), playingTime: null,
  isPlaying: false, isOver: false,
  /// Whether the stream only shows where the marker is.
  isPreviewing: false,
  /// Whether the map still has to be moved to the first track.
  wantsView: false,
  /// After which event playing continues: the parameters of the stream, their `key`, and the id of the `last` event.
  cursor: null,
  /// The instant that times in frames are relative to.
  base: 0,
  /// The instant at which it starts; undefined at the beginning.
  startInstant: undefined,
  /// The instant at which the stream was asked to begin, until its first track has been received.
  soughtInstant: undefined,
  /// The current position: instant, track, speed, metres.
  now: null,
  isFromBeginning: false,
  /// The last frame of each track; the numbers of frames that were shown, and that were received twice.
  seen: new Map(), frames: 0, doubled: 0,
};

/// The functions of the player that events and the slider call: `player.js` imports the modules that call them.
export const player = {};
