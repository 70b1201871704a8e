import CExpat
import Glibc

/// Parses XML in chunks with Expat.
///
/// Accepts UTF-8, UTF-16, ISO-8859-1 and Windows-1252. Memory is limited by the depth, the number of names and the
/// chunk size. Namespace prefixes are not resolved: names are compared by their local part.
@safe
public final class XMLReader {
    /// Deeper than any track format; stops a document with 100,000 nested elements.
    public static let depthLimit = 64

    private let parser: OpaquePointer
    // Written by Expat's callbacks. A pointer, because a property would be checked for exclusive access at each call.
    private let state: UnsafeMutablePointer<XMLState>

    /// A reader that reports these local names by their index in the list (`known`).
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

    /// Reads the document as UTF-8, whatever it declares; call it before the first `read`.
    public func assumeUTF8() {
        // Fails only while a document is being parsed.
        _ = unsafe XML_SetEncoding(parser, "UTF-8")
    }

    /// Parses the next bytes; returns no events after a failure.
    public func read(_ bytes: [UInt8]) -> XMLEvents {
        parse(bytes, last: false)
    }

    /// Declares the end of the document; reports a failure if it is incomplete.
    public func finish() -> XMLEvents {
        parse([], last: true)
    }

    /// The name with its prefix, for a number in an event.
    public func qualifiedName(_ number: Int) -> String { unsafe state.pointee.names.qualified(number) }

    /// The name without its prefix, for a number in an event.
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

/// The state that Expat's callbacks write while a chunk is parsed.
@unsafe
struct XMLState {
    let parser: OpaquePointer
    var names: NameTable
    var openNames: [XMLName] = []
    var events: [XMLEvent] = []
    var bytes: [UInt8] = []
    var failure: XMLError?
    /// The offset of the current chunk in the document.
    var blockStart = 0
    var bytesGiven = 0
    /// The number of line breaks before the current chunk.
    var linesBefore = 0

    init(parser: OpaquePointer, names: NameTable) {
        unsafe self.parser = parser
        unsafe self.names = names
    }

    /// The events of the chunk; removes them from the state.
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

    /// The parser's offset in the chunk; 0 for a token that began in an earlier chunk.
    private var offset: Int { unsafe max(0, Int(XML_GetCurrentByteIndex(parser)) - blockStart) }

    mutating func start(_ name: UnsafePointer<XML_Char>?, _ atts: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard unsafe failure == nil, let name = unsafe name else { return }
        guard unsafe openNames.count < XMLReader.depthLimit else {
            return unsafe stop { .tooDeep(limit: XMLReader.depthLimit, line: $0) }
        }
        guard let found = unsafe number(of: name) else { return }
        unsafe openNames.append(found)
        let offset = unsafe offset
        unsafe events.append(XMLEvent(.start, found, bytes.count..<bytes.count, offset: offset))
        guard var next = unsafe atts else { return }
        while let name = unsafe next[0], let value = unsafe next[1] {
            guard let found = unsafe number(of: name) else { return }
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
        // Only the internal subset can declare entities here, as external ones are not loaded. Without declarations, no
        // entity can expand to gigabytes.
        guard unsafe failure == nil, hasDeclarations else { return }
        unsafe stop { .declarations(line: $0) }
    }

    private mutating func append(_ text: UnsafePointer<XML_Char>, count: Int) {
        unsafe UnsafeBufferPointer(start: text, count: count).withMemoryRebound(to: UInt8.self) {
            unsafe bytes.append(contentsOf: $0)
        }
    }

    /// The number of a name; nil, with the parser stopped, if it has none.
    private mutating func number(of name: UnsafePointer<XML_Char>) -> XMLName? {
        let count = unsafe strlen(name)
        do throws(NameTable.Refusal) {
            return unsafe try UnsafeBufferPointer(start: name, count: count).withMemoryRebound(to: UInt8.self) {
                bytes throws(NameTable.Refusal) in unsafe try names.number(of: Span(_unsafeElements: bytes))
            }
        } catch .tooLong {
            unsafe stop { .longName(limit: NameTable.nameLimit, line: $0) }
        } catch {
            unsafe stop { .tooManyNames(limit: NameTable.limit, line: $0) }
        }
        return nil
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
