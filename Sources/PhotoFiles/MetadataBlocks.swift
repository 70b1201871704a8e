import PhotoLocating

/// The metadata blocks of a picture file, not yet parsed.
struct MetadataBlocks {
    var directories = TIFFDirectories()
    var xmp: [UInt8]?
    /// The size that the format itself names.
    var size: PixelSize?
    /// The marker of the frame of a JPEG file: how it is encoded.
    var frame: UInt8?

    init() {}
}
