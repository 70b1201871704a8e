import Files
import Text
import Tracks

/// A value of an array that belongs to the points of a track.
enum ColumnValue {
    case absent
    case number(FixedDecimal)
    case text(String)
    case bool(Bool)

    /// The value as text; nil if it is absent.
    var text: String? {
        switch self {
        case .absent: nil
        case .number(let number): number.description
        case .text(let text): text
        case .bool(let value): value ? "true" : "false"
        }
    }
}

/// Stores the columns of one object, in memory up to a limit, then in a temporary file.
final class ColumnStorage {
    /// Maximum number of bytes of full blocks in memory.
    private static let memoryLimit = 32 * 1024 * 1024

    private var bytesInMemory = 0
    private var file: TemporaryFile?
    private var fileBytes: Int64 = 0
    private var source: FileSource?

    fileprivate enum Block {
        case memory([UInt8])
        case file(start: Int64, count: Int)
    }

    fileprivate func keep(_ block: [UInt8]) throws -> Block {
        guard bytesInMemory + block.count > Self.memoryLimit else {
            bytesInMemory += block.count
            return .memory(block)
        }
        let file = try file ?? TemporaryFile()
        self.file = file
        try file.append(block)
        defer { fileBytes += Int64(block.count) }
        return .file(start: fileBytes, count: block.count)
    }

    fileprivate func bytes(of block: Block) throws -> [UInt8] {
        switch block {
        case .memory(let bytes): return bytes
        case .file(let start, let count):
            guard let file else { return [] }
            let source = try source ?? FileSource(path: file.path)
            self.source = source
            try source.move(to: start)
            var bytes: [UInt8] = []
            while bytes.count < count {
                let part = try source.read(upTo: count - bytes.count)
                guard !part.isEmpty else { throw ImportFailure.unreadable("a temporary file is truncated") }
                bytes += part
            }
            return bytes
        }
    }
}

/// The values of an array in encoded form, to be read in order.
///
/// A value is a tag and its data: a number is the difference from the previous one (zigzag varint), a text its length
/// and bytes.
struct ValueColumn {
    /// Number of values.
    private(set) var count = 0

    fileprivate let storage: ColumnStorage
    fileprivate var blocks: [ColumnStorage.Block] = []
    fileprivate var tail: [UInt8] = []
    private var last = FixedDecimal(mantissa: 0, places: 0)

    private static let blockBytes = 64 * 1024

    fileprivate enum Tag {
        static let absent: UInt8 = 0
        /// 1 + number of decimal places; below 20.
        static let number: UInt8 = 1
        static let text: UInt8 = 20
        static let no: UInt8 = 21
        static let yes: UInt8 = 22
    }

    init(_ storage: ColumnStorage) {
        self.storage = storage
    }

    mutating func append(_ value: ColumnValue) throws {
        switch value {
        case .absent: try append(nil)
        case .number(let number): try append(number)
        case .text(let text): try append(text)
        case .bool(let value): try begin(value ? Tag.yes : Tag.no)
        }
    }

    mutating func append(_ number: FixedDecimal?) throws {
        guard let number else {
            count += 1
            tail.append(Tag.absent)
            return try cut()
        }
        count += 1
        tail.append(Tag.number + number.places)
        let base = number.places == last.places ? last.mantissa : 0
        // Differences are taken only between mantissas of the same scale. They may wrap, which the reader's `&+`
        // undoes.
        let difference = number.mantissa &- base
        Varint.append(Varint.zigzag(difference), to: &tail)
        last = number
        try cut()
    }

    mutating func append(_ text: String) throws {
        count += 1
        tail.append(Tag.text)
        let bytes = Array(text.utf8)
        Varint.append(UInt64(bytes.count), to: &tail)
        tail += bytes
        try cut()
    }

    private mutating func begin(_ tag: UInt8) throws {
        count += 1
        tail.append(tag)
        try cut()
    }

    /// Ends a block when it is full; a block contains whole values.
    @inline(__always)
    private mutating func cut() throws {
        guard tail.count >= Self.blockBytes else { return }
        blocks.append(try storage.keep(tail))
        tail = []
    }

    /// The values as text, separated by commas.
    func joined() throws -> String {
        var cursor = ValueCursor(self)
        var texts: [String] = []
        while let value = try cursor.next() { if let text = value.text { texts.append(text) } }
        return texts.joined(separator: ",")
    }
}

/// Reads the values of a column in order.
struct ValueCursor {
    private let column: ValueColumn
    private var nextBlock = 0
    private var block: [UInt8] = []
    private var at = 0
    private var last = FixedDecimal(mantissa: 0, places: 0)

    init(_ column: ValueColumn) {
        self.column = column
    }

    /// The next value; nil at the end.
    mutating func next() throws -> ColumnValue? {
        while at >= block.count {
            guard nextBlock <= column.blocks.count else { return nil }
            block =
                nextBlock < column.blocks.count ? try column.storage.bytes(of: column.blocks[nextBlock]) : column.tail
            nextBlock += 1
            at = 0
        }
        let tag = block[at]
        at += 1
        switch tag {
        case ValueColumn.Tag.absent: return .absent
        case ValueColumn.Tag.no: return .bool(false)
        case ValueColumn.Tag.yes: return .bool(true)
        case ValueColumn.Tag.text:
            let count = Int(truncatingIfNeeded: varint())
            let end = min(block.count, at + count)
            defer { at = end }
            return .text(String(decoding: block[at..<end], as: UTF8.self))
        default:
            let places = tag - ValueColumn.Tag.number
            let difference = Varint.unzigzag(varint())
            let base = places == last.places ? last.mantissa : 0
            last = FixedDecimal(mantissa: base &+ difference, places: places)
            return .number(last)
        }
    }

    /// The next value as a number; nil for other values, and at the end.
    mutating func nextNumber() throws -> FixedDecimal? {
        guard case .number(let number)? = try next() else { return nil }
        return number
    }

    private mutating func varint() -> UInt64 {
        var cursor = VarintCursor(offset: at, end: block.count)
        defer { at = cursor.offset }
        return cursor.next(in: block.span)
    }
}

extension ChunkBuilder {
    /// Sets a field of the newest point to a value of a column.
    mutating func set(_ slot: FieldSlot, to value: ColumnValue) {
        switch value {
        case .number(let number): set(slot, to: number)
        case .absent: break
        case .text, .bool: if let text = value.text { set(slot, toText: text) }
        }
    }
}
