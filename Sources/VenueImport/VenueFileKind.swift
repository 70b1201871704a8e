internal import Archive

/// What a file is, by its first bytes.
enum VenueFileKind: Equatable {
    case archive(ArchiveFormat)
    /// XML whose first element is `osm`.
    case openStreetMap
    /// JSON, of whatever.
    case json
    case other

    /// So many bytes tell.
    static let headBytes = 4096

    init(_ head: ArraySlice<UInt8>) {
        let head = Array(head)
        if let format = ArchiveFormat(recognising: head) {
            self = .archive(format)
            return
        }
        let text = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x1E }
        switch text.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        case UInt8(ascii: "<"):
            self = String(decoding: text, as: UTF8.self).contains("<osm") ? .openStreetMap : .other
        default: self = .other
        }
    }
}
