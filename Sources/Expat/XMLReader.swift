import CExpat
import Glibc

/// What makes a reader stop.
public enum XMLError: Error, Equatable, Sendable {
    /// Not well-formed, in Expat's words, at a line and column counted from 1.
    case malformed(reason: String, line: Int, column: Int)
    /// Elements nested deeper than the limit.
    case tooDeep(limit: Int, line: Int)
    /// More different names than the limit.
    case tooManyNames(limit: Int, line: Int)
    /// A document type with declarations of its own: where entity bombs come from.
    case declarations(line: Int)
    /// Expat found no memory.
    case outOfMemory
}

/// Reads XML piece by piece through Expat, into events.
///
/// Takes UTF-8, UTF-16, ISO-8859-1 and Windows-1252. Memory is bounded by the limits on depth and names and by the size of
/// the pieces. Prefixes are not resolved: names are told apart by their local part.
@safe
public final class XMLReader {
    /// Deeper than any track format goes; a bomb of 100,000 levels stops here.
    public static let depthLimit = 64

    private let parser: OpaquePointer
    // Expat's callbacks write here; by pointer, since each would otherwise be checked for exclusive access.
    private let state: UnsafeMutablePointer<XMLState>

    /// A reader that knows these local names by their places in the list.
    public init(known names: [String]) throws {
        guard let created = unsafe XML_ParserCreate(nil) else { throw XMLError.outOfMemory }
        unsafe parser = created
        unsafe state = UnsafeMutablePointer<XMLState>.allocate(capacity: 1)
        unsafe state.initialize(to: XMLState(parser: created, names: NameTable(known: names)))
        unsafe XML_SetUserData(parser, state)
        unsafe XML_SetElementHandler(
            parser, { unsafe xmlState($0).pointee.start($1, $2) }, { data, _ in unsafe xmlState(data).pointee.end() })
        unsafe XML_SetCharacterDataHandler(parser, { unsafe xmlState($0).pointee.text($1, $2) })
        unsafe XML_SetStartDoctypeDeclHandler(
            parser, { data, _, _, _, hasSubset in unsafe xmlState(data).pointee.documentType(hasSubset != 0) })
        unsafe XML_SetUnknownEncodingHandler(parser, { unsafe describeEncoding($1, $2) }, nil)
    }

    deinit {
        unsafe XML_ParserFree(parser)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Takes the document for UTF-8, whatever it declares; to be said before anything is read.
    public func assumeUTF8() {
        // Refused only while a document is parsed.
        _ = unsafe XML_SetEncoding(parser, "UTF-8")
    }

    /// Reads some more bytes and gives what was found in them; after a failure, nothing.
    public func read(_ bytes: [UInt8]) -> XMLEvents {
        parse(bytes, last: false)
    }

    /// Says that no bytes follow; fails where the document is not whole.
    public func finish() -> XMLEvents {
        parse([], last: true)
    }

    /// A name with its prefix, by the number that events carry.
    public func qualifiedName(_ number: Int) -> String { unsafe state.pointee.names.qualified(number) }

    /// A name without its prefix, by the number that events carry.
    public func localName(_ number: Int) -> String { unsafe state.pointee.names.local(number) }

    private func parse(_ bytes: [UInt8], last: Bool) -> XMLEvents {
        guard unsafe state.pointee.failure == nil else { return XMLEvents() }
        unsafe state.pointee.blockStart = state.pointee.bytesGiven
        unsafe state.pointee.bytesGiven += bytes.count
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe XML_Parse(
                parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), last ? 1 : 0)
        }
        if unsafe state.pointee.failure == nil, status != XML_STATUS_OK { unsafe state.pointee.failure = expatError() }
        return unsafe state.pointee.takeEvents(of: bytes)
    }

    private func expatError() -> XMLError {
        let code = unsafe XML_GetErrorCode(parser)
        guard code != XML_ERROR_NO_MEMORY else { return .outOfMemory }
        let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
        return unsafe .malformed(
            reason: words ?? "not well-formed", line: Int(XML_GetCurrentLineNumber(parser)),
            column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
    }
}

/// What Expat's callbacks write while a block is parsed.
@unsafe
struct XMLState {
    let parser: OpaquePointer
    var names: NameTable
    var openNames: [XMLName] = []
    var events: [XMLEvent] = []
    var bytes: [UInt8] = []
    var failure: XMLError?
    /// Where in the document the block begins that is being parsed.
    var blockStart = 0
    var bytesGiven = 0
    /// How many line ends lie before it.
    var linesBefore = 0

    init(parser: OpaquePointer, names: NameTable) {
        unsafe self.parser = parser
        unsafe self.names = names
    }

    /// The events of the block; the next begin anew.
    mutating func takeEvents(of block: [UInt8]) -> XMLEvents {
        let taken = unsafe XMLEvents(
            events: events, bytes: bytes, failure: failure, block: block, linesBefore: linesBefore)
        unsafe linesBefore += lineEnds(in: block, before: block.count)
        unsafe events = []
        unsafe bytes = []
        unsafe events.reserveCapacity(taken.events.count + taken.events.count / 8)
        unsafe bytes.reserveCapacity(taken.bytes.count + taken.bytes.count / 8)
        return taken
    }

    /// Where in the block the parser is; where a token began in an earlier block, the block's beginning stands for it.
    private var offset: Int { unsafe max(0, Int(XML_GetCurrentByteIndex(parser)) - blockStart) }

    mutating func start(_ name: UnsafePointer<XML_Char>?, _ atts: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard unsafe failure == nil, let name = unsafe name else { return }
        guard unsafe openNames.count < XMLReader.depthLimit else {
            return unsafe stop { .tooDeep(limit: XMLReader.depthLimit, line: $0) }
        }
        guard let found = unsafe number(of: name) else {
            return unsafe stop { .tooManyNames(limit: NameTable.limit, line: $0) }
        }
        unsafe openNames.append(found)
        let offset = unsafe offset
        unsafe events.append(XMLEvent(.start, found, bytes.count..<bytes.count, offset: offset))
        guard var next = unsafe atts else { return }
        while let name = unsafe next[0], let value = unsafe next[1] {
            guard let found = unsafe number(of: name) else {
                return unsafe stop { .tooManyNames(limit: NameTable.limit, line: $0) }
            }
            let start = unsafe bytes.count
            unsafe append(value, count: strlen(value))
            unsafe events.append(XMLEvent(.attribute, found, start..<bytes.count, offset: offset))
            unsafe next += 2
        }
    }

    mutating func end() {
        guard unsafe failure == nil, let name = unsafe openNames.popLast() else { return }
        unsafe events.append(XMLEvent(.end, name, bytes.count..<bytes.count, offset: offset))
    }

    mutating func text(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard unsafe failure == nil, let text = unsafe text else { return }
        let start = unsafe bytes.count
        unsafe append(text, count: Int(count))
        if let last = unsafe events.indices.last, unsafe events[last].kind == .text {
            unsafe events[last].extend(to: bytes.count)
        } else {
            unsafe events.append(XMLEvent(.text, XMLName(number: -1, known: nil), start..<bytes.count, offset: offset))
        }
    }

    mutating func documentType(_ hasDeclarations: Bool) {
        guard unsafe failure == nil, hasDeclarations else { return }
        unsafe stop { .declarations(line: $0) }
    }

    private mutating func append(_ text: UnsafePointer<XML_Char>, count: Int) {
        unsafe UnsafeBufferPointer(start: text, count: count).withMemoryRebound(to: UInt8.self) {
            unsafe bytes.append(contentsOf: $0)
        }
    }

    private mutating func number(of name: UnsafePointer<XML_Char>) -> XMLName? {
        let count = unsafe strlen(name)
        return unsafe UnsafeBufferPointer(start: name, count: count).withMemoryRebound(to: UInt8.self) {
            unsafe names.number(of: Span(_unsafeElements: $0))
        }
    }

    private mutating func stop(_ error: (Int) -> XMLError) {
        unsafe failure = error(Int(XML_GetCurrentLineNumber(parser)))
        _ = unsafe XML_StopParser(parser, 0)
    }
}

private func xmlState(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLState> {
    guard let data = unsafe data else { preconditionFailure("Expat is given its state") }
    return unsafe data.assumingMemoryBound(to: XMLState.self)
}
