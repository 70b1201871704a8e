/// A file that somebody has sent: a stretch of one on the disk, under the name that they gave it.
public struct Upload: Sendable, Equatable {
    /// What receipts call it.
    public let name: String
    /// Where its bytes lie.
    public let path: String
    /// Which of the bytes there are its own.
    public let bytes: Range<Int64>

    /// The `bytes` of the file at `path`, called `name`: what would lead elsewhere, or break lines, is left out of that.
    public init(name: String, path: String, bytes: Range<Int64>) {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let plain = String(
            String.UnicodeScalarView(last.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        self.name = plain.isEmpty || plain == "-" ? Self.nameless : String(plain.prefix(Self.nameCharacters))
        self.path = path
        self.bytes = bytes
    }

    /// What is sent without a name.
    private static let nameless = "upload"
    /// As many as file systems take.
    private static let nameCharacters = 255
}
