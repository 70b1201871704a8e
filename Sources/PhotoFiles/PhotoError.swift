/// Why the metadata or the picture of a file cannot be read.
public enum PhotoError: Error, Hashable, Sendable {
    /// The first bytes are those of no known format.
    case unknownFormat
    /// The file ends before it should.
    case truncated
    case damaged(String)
    /// Width or height is 0.
    case empty
    /// The picture has more pixels than the limit.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// The format has no picture that can be shown.
    case noPicture(String)
}

extension PhotoError: CustomStringConvertible {
    /// What is wrong; what to do.
    public var description: String {
        switch self {
        case .unknownFormat:
            "not a photo or video of a known format; use JPEG, TIFF, PNG, WebP, HEIC, AVIF, MP4, MOV or a raw photo"
        case .truncated: "the file ends too early; copy it again from the camera"
        case .damaged(let what): "damaged: \(what.prefix(200)); copy it again from the camera"
        case .empty: "the picture has no pixels; copy it again from the camera"
        case .tooLarge(let width, let height, let limit):
            "\(width) x \(height) pixels are more than the limit of \(limit / 1_000_000) million; use a smaller picture"
        case .noPicture(let format):
            "no picture can be made from this file (\(format)); use JPEG, PNG, WebP, HEIC or AVIF"
        }
    }
}
