/// Names a prerendered picture: a style and layer, and a cell, which is a number below 2^50 for the tile and its scale.
public struct StoredPictureKey: Hashable, Sendable {
    public var style: String
    public var layer: String
    public var cell: Int64

    public init(style: String, layer: String, cell: Int64) {
        self.style = style
        self.layer = layer
        self.cell = cell
    }
}

/// A prerendered picture, with the digest of what it was drawn from.
public struct StoredPicture: Sendable {
    public var key: StoredPictureKey
    public var digest: [UInt8]
    public var bytes: [UInt8]

    public init(key: StoredPictureKey, digest: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.digest = digest
        self.bytes = bytes
    }
}

/// Where prerendered pictures of a library are stored: a database that all its processes share.
///
/// A generation ends when pictures are removed because the library has changed: what was drawn before is not stored any
/// more, by no process.
public protocol PictureTables: Sendable {
    /// The query for the digest and the bytes of a picture, for sessions that read the grid; nil if they cannot read pictures.
    func query(of key: StoredPictureKey) -> Query?

    /// The bytes of a picture, if it was drawn from what `digest` identifies.
    func bytes(of key: StoredPictureKey, digest: [UInt8]) throws -> [UInt8]?

    /// Whether a picture is stored that was drawn from what `digest` identifies.
    func contains(_ key: StoredPictureKey, digest: [UInt8]) throws -> Bool

    /// The number of generations that have ended.
    func generation() throws -> Int64

    /// Stores all pictures, or none and returns false if the generation has ended.
    func store(_ pictures: [StoredPicture], drawnIn generation: Int64) throws -> Bool

    /// Removes the pictures that `fits` accepts, and returns their keys. If the generation ends, they are also overwritten
    /// as far as the database system can.
    @discardableResult
    func remove(endingGeneration: Bool, where fits: (StoredPictureKey) -> Bool) throws -> [StoredPictureKey]

    /// The number of pictures, and their total bytes.
    func totals() throws -> (pictures: Int, bytes: Int)
}
