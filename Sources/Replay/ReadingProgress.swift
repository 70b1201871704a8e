/// The state of reading the playable points of a track, without the source.
struct ReadingProgress: Sendable {
    var reader: FileOrderReader
    var gaps: GapDetector
    var ready: [PlayablePoint] = []
    var nextReady = 0
    var isAtEnd = false
}
