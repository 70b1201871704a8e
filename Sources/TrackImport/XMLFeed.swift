import Dispatch
import Expat
import Locking

/// The events of an XML document, in its order: Expat reads a piece on another core while the one before is taken.
struct XMLFeed {
    private let reading: FileReading
    private let xml: Locked<XMLReader>
    private let queue = DispatchQueue(label: "tileserve.import.xml", qos: .utility)

    /// A feed whose events know these local names by their places in the list.
    init(_ reading: FileReading, known names: [String]) throws {
        self.reading = reading
        xml = Locked(try XMLReader(known: names))
    }

    /// Hands all that is found in `source` to `take`, piece by piece; what came before a failure of the source first.
    func each(of source: any ByteSource, _ take: (XMLEvents) throws -> Void) throws {
        var source = XMLStart(source)
        var underWay: [Awaited<XMLEvents>] = []
        var block: [UInt8] = []
        var failure: (any Error)?
        repeat {
            do { block = try source.read { try reading.next(from: &$0) } } catch {
                failure = error
                break
            }
            underWay.append(events(of: block))
            if underWay.count > 2 { try take(underWay.removeFirst().get()) }
        } while !block.isEmpty
        for found in underWay { try take(found.get()) }
        if let failure { throw failure }
    }

    /// An element's name without its prefix.
    func localName(_ event: XMLEvent) -> String {
        xml.withLock { $0.localName(event.number) }
    }

    /// An element's name with its prefix.
    func qualifiedName(_ event: XMLEvent) -> String {
        xml.withLock { $0.qualifiedName(event.number) }
    }

    private func events(of block: [UInt8]) -> Awaited<XMLEvents> {
        guard reading.options.workers > 1 else { return Awaited(Self.events(of: block, xml)) }
        return Awaited(on: queue) { [xml] in Self.events(of: block, xml) }
    }

    /// What is found in a block; an empty one ends the document.
    private static func events(of block: [UInt8], _ xml: Locked<XMLReader>) -> XMLEvents {
        xml.withLock { block.isEmpty ? $0.finish() : $0.read(block) }
    }
}

/// XML from its first mark on: some software leaves blanks before the declaration, which Expat does not forgive.
private struct XMLStart {
    private var source: any ByteSource
    private var begun = false

    init(_ source: any ByteSource) {
        self.source = source
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
