/// The values that filters and tiles read.
public struct PinFacts: Sendable, Equatable {
    public var id: PinID
    public var place: PinPlace
    /// Milliseconds since 1970; nil if unknown.
    public var time: Int64?
    public var category: String?
    /// nil for the library's owner.
    public var person: String?
    public var source: PinSource
    /// Milliseconds since 1970; nil for never.
    public var expires: Int64?
    /// Whether reports have hidden it.
    public var isHidden = false

    public init(
        _ id: PinID, _ place: PinPlace, time: Int64?, category: String?, person: String?, source: PinSource,
        expires: Int64?
    ) {
        self.id = id
        self.place = place
        self.time = time
        self.category = category
        self.person = person
        self.source = source
        self.expires = expires
    }

    /// Whether it is no longer shown at an instant.
    public func isExpired(at now: Int64) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}
