import GridStorage
import PrimaryStore
import Text
import TrackImport
import TrackStore

/// Replaces what earlier imports have read from files that an import has read anew.
struct Replacement {
    private let library: Library
    private let number: Int64

    /// A replacement by what the import with this number has read.
    init(_ library: Library, import number: Int64) {
        self.library = library
        self.number = number
    }

    private var database: TrackDatabase { library.database }

    /// A file that earlier imports have read.
    private struct Earlier {
        var index: Int
        var contribution: EarlierContribution
        /// What was read now, if an error ended it before as many points as before; the file then stays as it was.
        var shorter: Contribution?
    }

    /// Removes what earlier imports have read from the same files. Returns the receipts, with what has changed.
    func replace(
        _ receipts: [FileReceipt], isStopped: () -> Bool, drop: (GridChange) throws -> Void
    ) throws -> [FileReceipt] {
        var earlier = try earlier(receipts, isDryRun: false)
        guard !earlier.isEmpty else { return receipts }
        for index in earlier.indices {
            let receipt = receipts[earlier[index].index]
            guard receipt.failure != nil else { continue }
            let now = try database.contribution(of: origin(of: receipt))
            if receipt.endsBefore(earlier[index].contribution.content, now) { earlier[index].shorter = now }
        }
        _ = try library.replace(drop: drop) {
            for file in earlier where !isStopped() {
                let (origins, new) = (file.contribution.origins, origin(of: receipts[file.index]))
                if file.shorter != nil, let last = origins.last {
                    try database.replace([new], by: last, isStopped: isStopped)
                } else {
                    try database.replace(origins, by: new, isStopped: isStopped)
                }
            }
        }
        return try marked(receipts, earlier) { try database.contribution(of: origin(of: $0)) }
    }

    /// Compares what earlier imports have read with what a dry run has read into a database.
    func compare(
        _ receipts: [FileReceipt], readInto other: TrackDatabase, as otherNumber: Int64
    ) throws -> [FileReceipt] {
        try marked(receipts, earlier(receipts, isDryRun: true)) {
            try other.contribution(of: ImportOrigin(import: otherNumber, file: $0.number))
        }
    }

    private func origin(of receipt: FileReceipt) -> ImportOrigin {
        ImportOrigin(import: number, file: receipt.number)
    }

    private func earlier(_ receipts: [FileReceipt], isDryRun: Bool) throws -> [Earlier] {
        let files = receipts.enumerated().compactMap { index, receipt in receipt.readAnew.map { (index, $0) } }
        let found = try database.earlierContributions(of: files.map(\.1), beforeImport: number, isDryRun: isDryRun)
        return zip(files, found).compactMap { file, contribution in
            contribution.map { Earlier(index: file.0, contribution: $0) }
        }
    }

    private func marked(
        _ receipts: [FileReceipt], _ earlier: [Earlier], after: (FileReceipt) throws -> Contribution
    ) throws -> [FileReceipt] {
        var receipts = receipts
        for file in earlier {
            let now = try file.shorter ?? after(receipts[file.index])
            let same = Set(file.contribution.content.tracks.map(\.digest)).intersection(now.tracks.map(\.digest)).count
            var revision = FileRevision(
                before: FileRevision.Content(file.contribution.content), after: FileRevision.Content(now),
                sameTracks: same)
            revision.isWithoutEffect = receipts[file.index].endsBefore(file.contribution.content, now)
            receipts[file.index].revision = revision
        }
        return receipts
    }
}

extension FileReceipt {
    /// Whether an error ended the reading before as many points as were read `before`.
    fileprivate func endsBefore(_ before: Contribution, _ now: Contribution) -> Bool {
        failure != nil && now.points < before.points
    }

    /// The file, if it was read so far that it replaces what was read from it before.
    fileprivate var readAnew: EarlierFile? {
        guard let digest else { return nil }
        return EarlierFile(source: source, byteCount: bytes, digest: digest)
    }
}

extension FileRevision.Content {
    fileprivate init(_ contribution: Contribution) {
        self.init(
            tracks: contribution.tracks.count, points: contribution.points, metres: contribution.metres,
            pins: contribution.pins.count)
    }
}
