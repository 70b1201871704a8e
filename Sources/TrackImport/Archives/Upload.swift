/// An uploaded file: a byte range of a file on disk, with the name given by the client.
public struct Upload: Sendable, Equatable {
    /// The name in receipts.
    public let name: String
    /// The path of the file that contains its bytes.
    public let path: String
    /// The range of its bytes in that file.
    public let bytes: Range<Int64>

    /// The `bytes` of the file at `path`; folders and control characters are removed from `name`.
    public init(name: String, path: String, bytes: Range<Int64>) {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let plain = String(
            String.UnicodeScalarView(last.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        self.name = plain.isEmpty || plain == "-" ? Self.defaultName : String(plain.prefix(Self.nameCharacters))
        self.path = path
        self.bytes = bytes
    }

    /// The name of an upload without one.
    private static let defaultName = "upload"
    /// Maximum length in characters, about the limit of file systems.
    private static let nameCharacters = 255
}
