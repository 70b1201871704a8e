import Dispatch
import Expat
import Foundation
import Locking

/// The events of an XML document in order; Expat parses a block on another core while the previous one is handled.
struct XMLFeed {
    private let reading: FileReading
    private let xml: Locked<XMLReader>
    private let queue = DispatchQueue(label: "tileserve.import.xml", qos: .utility)

    /// Creates a feed that identifies these local names by their index.
    init(_ reading: FileReading, known names: [String]) throws {
        self.reading = reading
        xml = Locked(try XMLReader(known: names))
    }

    /// Calls `take` with the events of each block of `source`; an error of the source is thrown after the events before
    /// it.
    func each(of source: any ByteSource, _ take: (XMLEvents) throws -> Void) throws {
        var source = XMLStart(source)
        var repairer: XMLRepairer?
        var pending: [Future<XMLEvents>] = []
        var block: [UInt8] = []
        var failure: (any Error)?
        repeat {
            do { block = try source.read { try reading.next(from: &$0) } } catch {
                failure = error
                break
            }
            var activeRepairer = repairer ?? makeRepairer(block)
            let repaired = activeRepairer.repair(block, isLast: block.isEmpty)
            repairer = activeRepairer
            if !repaired.isEmpty { pending.append(events(of: repaired)) }
            // An empty block ends the document.
            if block.isEmpty { pending.append(events(of: [])) }
            while pending.count > 2 { try take(pending.removeFirst().get()) }
        } while !block.isEmpty
        for repair in repairer?.repairs ?? [] {
            reading.receipt.remarks.insert(repair == .invalidUTF8 ? .invalidUTF8Bytes : .bareAmpersands)
        }
        for found in pending { try take(found.get()) }
        if let failure { throw failure }
    }

    /// Documents that declare a single-byte encoding are left unchanged for Expat; all others must be UTF-8.
    private func makeRepairer(_ first: [UInt8]) -> XMLRepairer {
        let isUTF8 = !XMLStart.declaresSingleBytes(first)
        if isUTF8 { xml.withLock { $0.assumeUTF8() } }
        return XMLRepairer(isUTF8: isUTF8)
    }

    /// An element's name without its prefix.
    func localName(_ event: XMLEvent) -> String {
        xml.withLock { $0.localName(event.number) }
    }

    /// An element's name with its prefix.
    func qualifiedName(_ event: XMLEvent) -> String {
        xml.withLock { $0.qualifiedName(event.number) }
    }

    private func events(of block: [UInt8]) -> Future<XMLEvents> {
        guard reading.options.workers > 1 else { return Future(Self.events(of: block, xml)) }
        return Future(on: queue) { [xml] in Self.events(of: block, xml) }
    }

    /// The events of a block; an empty block ends the document.
    private static func events(of block: [UInt8], _ xml: Locked<XMLReader>) -> XMLEvents {
        xml.withLock { block.isEmpty ? $0.finish() : $0.read(block) }
    }
}

/// XML without the whitespace that some software writes before the declaration, which Expat rejects.
private struct XMLStart {
    private var source: any ByteSource
    private var begun = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Whether the declaration names ISO-8859-1 or Windows-1252.
    static func declaresSingleBytes(_ block: [UInt8]) -> Bool {
        guard block.starts(with: "<?xml".utf8), let end = block.prefix(512).firstIndex(of: UInt8(ascii: ">")) else {
            return false
        }
        let declaration = String(decoding: block[..<end], as: UTF8.self).lowercased()
        guard let name = declaration.range(of: "encoding") else { return false }
        let value = declaration[name.upperBound...].drop { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace }
        let word = value.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return ["iso-8859-1", "windows-1252", "cp1252"].contains(word)
    }

    mutating func read(_ next: (inout any ByteSource) throws -> [UInt8]) throws -> [UInt8] {
        while true {
            let block = try next(&source)
            guard !begun, !block.isEmpty else { return block }
            var start = block.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while start < block.count, block[start] == 0x20 || (0x09...0x0D).contains(block[start]) { start += 1 }
            guard start < block.count else { continue }
            begun = true
            return start == 0 ? block : Array(block[start...])
        }
    }
}
