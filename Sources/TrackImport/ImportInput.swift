import Files

/// A file to be read.
struct ImportInput: Sendable {
    let path: String
    let wasFoundInFolder: Bool
    private let failure: FileError?
    private let upload: Upload?

    var isStandardInput: Bool { path == "-" && !wasFoundInFolder && upload == nil }

    /// The source in the headers of its recordings.
    var name: String {
        isStandardInput ? "standard input" : path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// Size in bytes; 0 if it is unknown.
    var byteCount: Int64 {
        if let upload { return Int64(upload.bytes.count) }
        return isStandardInput ? 0 : FileStatus.ifExists(of: path)?.byteCount ?? 0
    }

    init(_ upload: Upload) {
        path = upload.name
        wasFoundInFolder = false
        failure = nil
        self.upload = upload
    }

    private init(_ path: String, wasFoundInFolder: Bool = false, failure: FileError? = nil) {
        self.path = path
        self.wasFoundInFolder = wasFoundInFolder
        self.failure = failure
        upload = nil
    }

    /// The file at a path, or the files of a folder in order; an unreadable folder fails like a file.
    static func all(_ path: String) -> [ImportInput] {
        guard path != "-", FileStatus.ifExists(of: path)?.kind == .folder else { return [ImportInput(path)] }
        var inputs: [ImportInput] = []
        do {
            try Folder.walk(path, refused: { inputs.append(ImportInput($0.path, failure: $0)) }) {
                inputs.append(ImportInput($0, wasFoundInFolder: true))
            }
        } catch let error as FileError {
            inputs.append(ImportInput(path, failure: error))
        } catch {
            inputs.append(ImportInput(path))
        }
        return inputs
    }

    /// Adds its entries to `activities`, if it is an activity list.
    func addActivities(to activities: ReportedActivities) {
        // Errors are reported when the file itself is read.
        let isGarmin = GarminActivities.isNamed(path)
        guard isGarmin || ActivityList.isNamed(path), failure == nil,
            upload != nil || FileStatus.ifExists(of: path)?.kind == .file
        else { return }
        if isGarmin {
            guard var source = try? source() else { return }
            var list = GarminActivities()
            try? list.read { try source.read() }
            return activities.add(list, in: GarminActivities.folder(of: path))
        }
        guard let bytes = try? whole(limit: ActivityList.sizeLimit), let list = ActivityList(bytes) else { return }
        activities.add(list, in: ActivityList.folder(of: path))
    }

    /// The whole content; nil if it is longer than `limit` bytes.
    private func whole(limit: Int) throws -> [UInt8]? {
        var source = try source()
        var bytes: [UInt8] = []
        while true {
            let block = try source.read()
            if block.isEmpty { return bytes }
            guard bytes.count + block.count <= limit else { return nil }
            bytes += block
        }
    }

    /// Its bytes; waiting for a pipe ends when `isStopped` returns true.
    func source(_ isStopped: @escaping @Sendable () -> Bool = { false }) throws -> any ByteSource {
        if let failure { throw failure }
        if let upload {
            let file = try FileSource(path: upload.path)
            try file.move(to: upload.bytes.lowerBound)
            return FileBytes(file, limit: Int64(upload.bytes.count))
        }
        return FileBytes(
            try isStandardInput
                ? FileSource(standardInput: (), isStopped: isStopped) : FileSource(path: path, isStopped: isStopped))
    }
}

/// A file as a source of bytes.
private struct FileBytes: ByteSource {
    private let file: FileSource
    private var left: Int64

    /// Reads the next `limit` bytes of a file, or all.
    init(_ file: FileSource, limit: Int64 = .max) {
        self.file = file
        left = limit
    }

    mutating func read() throws -> [UInt8] {
        guard left > 0 else { return [] }
        do throws(FileError) {
            let block = try file.read(upTo: Int(min(Int64(blockSize), left)))
            left -= Int64(block.count)
            return block
        } catch {
            throw error.isCancelled ? ImportFailure.stopped : ImportFailure.unreadable(error.reason)
        }
    }
}

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
