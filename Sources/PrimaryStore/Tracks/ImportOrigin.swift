internal import Database

/// What contributed recordings, points of streams, or pins: a file of an import, or an import as a whole.
///
/// The file is needed to replace what an earlier version read from it; the import, to undo it.
public struct ImportOrigin: Hashable, Sendable {
    /// The value of the columns `import` and `origin`: the import's number in the upper 32 bits, the file's in the
    /// lower. So the origins of an import are one range.
    package let rawValue: Int64

    /// A value of a column.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// A file of an import, counted from 1 in the order in which reading began; 0 is the import as a whole, which is
    /// all that earlier versions recorded.
    package init(import number: Int64, file: Int = 0) {
        rawValue = number << LibraryTables.originFileBits | Int64(UInt32(truncatingIfNeeded: file))
    }

    /// Points recorded by this program, and tracks from before imports were recorded.
    package static let recorded = ImportOrigin(import: ImportRecord.none)

    /// The number of the import.
    public var importNumber: Int64 { rawValue >> LibraryTables.originFileBits }

    /// The origins of an import, as values of a column.
    package static func all(ofImport number: Int64) -> ClosedRange<Int64> {
        let first = ImportOrigin(import: number).rawValue
        return first...(first | (1 << LibraryTables.originFileBits - 1))
    }
}
