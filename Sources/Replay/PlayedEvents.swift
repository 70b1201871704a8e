/// Events that a stream plays one by one.
public protocol PlayedEvents: Sendable {
    /// The next event; nil after the last.
    mutating func next() throws -> ReplayEvent?
    /// The library has changed: true if the last event must not be shown any more, because the next one replaces it.
    mutating func recheck() throws -> Bool
}

extension ReplaySequence: PlayedEvents {}
