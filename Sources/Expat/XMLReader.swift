import CExpat
import Glibc

/// An element's name as the reader numbers it.
public struct XMLName: Hashable, Sendable {
    /// The reader's number for the whole name, prefix included; names come by it from the reader.
    public let number: Int
    /// Where the local name stands in the list the reader was made with; nil for others.
    public let known: Int?
}

/// What makes a reader stop.
public enum XMLError: Error, Equatable, Sendable {
    /// Not well-formed, in Expat's words, at a line and column counted from 1.
    case malformed(reason: String, line: Int, column: Int)
    /// Elements nested deeper than the limit.
    case tooDeep(limit: Int, line: Int)
    /// More different element names than the limit.
    case tooManyNames(limit: Int, line: Int)
    /// A document type with declarations of its own: where entity bombs come from.
    case declarations(line: Int)
    /// Expat found no memory.
    case outOfMemory
}

/// Is told what a reader finds; an error thrown stops the reader, which throws it on.
public protocol XMLHandler: AnyObject {
    /// An element begins; its attributes are the reader's until the call returns.
    func start(_ name: XMLName, in reader: XMLReader) throws
    /// An element ends.
    func end(_ name: XMLName, in reader: XMLReader) throws
    /// Some text, UTF-8, perhaps in several pieces.
    func text(_ bytes: Span<UInt8>, in reader: XMLReader) throws
}

/// Reads XML piece by piece through Expat.
///
/// Takes UTF-8, UTF-16, ISO-8859-1 and Windows-1252. Memory is bounded by the limits: depth, names, Expat's own on tokens.
/// Prefixes are not resolved: names are told apart by their local part.
@safe
public final class XMLReader {
    /// Deeper than any track format goes; a bomb of 100,000 levels stops here.
    public static let depthLimit = 64

    private let parser: OpaquePointer
    private var names: NameTable
    private var openNames: [XMLName] = []
    private var handler: (any XMLHandler)?
    private var failure: (any Error)?
    // Set only while Expat calls back about a start tag, as long as its array lives.
    private var attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

    /// A reader that knows these local names by their places in the list.
    public init(known names: [String]) throws {
        guard let created = unsafe XML_ParserCreate(nil) else { throw XMLError.outOfMemory }
        unsafe parser = created
        self.names = NameTable(known: names)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { unsafe reader(from: $0).started($1, $2) }, { data, _ in unsafe reader(from: data).ended() })
        unsafe XML_SetCharacterDataHandler(parser, { unsafe reader(from: $0).found($1, $2) })
        unsafe XML_SetStartDoctypeDeclHandler(
            parser, { data, _, _, _, hasSubset in unsafe reader(from: data).declared(hasSubset != 0) })
        unsafe XML_SetUnknownEncodingHandler(parser, { unsafe describeEncoding($1, $2) }, nil)
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    /// Reads some more bytes.
    public func read(_ bytes: [UInt8], for handler: any XMLHandler) throws {
        try parse(bytes, last: false, handler)
    }

    /// Says that no bytes follow; throws where the document is not whole.
    public func finish(for handler: any XMLHandler) throws {
        try parse([], last: true, handler)
    }

    /// The line that the reader is at, counted from 1.
    public var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

    /// How many elements are open.
    public var depth: Int { openNames.count }

    /// A name with its prefix.
    public func qualifiedName(_ name: XMLName) -> String { names.qualified(name.number) }

    /// A name without its prefix.
    public func localName(_ name: XMLName) -> String { names.local(name.number) }

    /// Calls `body` with the name (local) and value of each attribute of the element that begins; with none at other times.
    public func forEachAttribute(_ body: (Span<UInt8>, Span<UInt8>) throws -> Void) rethrows {
        guard var next = unsafe attributes else { return }
        while let name = unsafe next[0], let value = unsafe next[1] {
            let nameBytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
            let valueBytes = unsafe UnsafeBufferPointer(start: value, count: strlen(value))
            try unsafe nameBytes.withMemoryRebound(to: UInt8.self) { nameBytes in
                try unsafe valueBytes.withMemoryRebound(to: UInt8.self) { valueBytes in
                    try unsafe body(Span(_unsafeElements: nameBytes), Span(_unsafeElements: valueBytes))
                }
            }
            unsafe next += 2
        }
    }

    private func parse(_ bytes: [UInt8], last: Bool, _ handler: any XMLHandler) throws {
        if let failure { throw failure }
        self.handler = handler
        defer { self.handler = nil }
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe XML_Parse(
                parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), last ? 1 : 0)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let code = unsafe XML_GetErrorCode(parser)
            guard code != XML_ERROR_NO_MEMORY else { throw XMLError.outOfMemory }
            let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
            let error = unsafe XMLError.malformed(
                reason: words ?? "not well-formed", line: line, column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
            failure = error
            throw error
        }
    }

    private func stop(_ error: any Error) {
        failure = error
        _ = unsafe XML_StopParser(parser, 0)
    }

    fileprivate func started(
        _ name: UnsafePointer<XML_Char>?, _ atts: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard failure == nil, let name = unsafe name, let handler else { return }
        guard openNames.count < Self.depthLimit else {
            return stop(XMLError.tooDeep(limit: Self.depthLimit, line: line))
        }
        let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
        let found = unsafe bytes.withMemoryRebound(to: UInt8.self) {
            unsafe names.number(of: Span(_unsafeElements: $0))
        }
        guard let found else { return stop(XMLError.tooManyNames(limit: NameTable.limit, line: line)) }
        openNames.append(found)
        unsafe attributes = atts
        defer { unsafe attributes = nil }
        do { try handler.start(found, in: self) } catch { stop(error) }
    }

    fileprivate func ended() {
        guard failure == nil, let handler, let name = openNames.popLast() else { return }
        do { try handler.end(name, in: self) } catch { stop(error) }
    }

    fileprivate func found(_ text: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard failure == nil, let text = unsafe text, let handler else { return }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
        do {
            try unsafe bytes.withMemoryRebound(to: UInt8.self) {
                try unsafe handler.text(Span(_unsafeElements: $0), in: self)
            }
        } catch { stop(error) }
    }

    fileprivate func declared(_ hasDeclarations: Bool) {
        guard failure == nil, hasDeclarations else { return }
        stop(XMLError.declarations(line: line))
    }
}

private func reader(from data: UnsafeMutableRawPointer?) -> XMLReader {
    guard let data = unsafe data else { preconditionFailure("Expat is given its reader") }
    return unsafe Unmanaged<XMLReader>.fromOpaque(data).takeUnretainedValue()
}

/// Describes Windows-1252, which much software writes and Expat does not know.
private func describeEncoding(_ name: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?)
    -> Int32
{
    guard let name = unsafe name, let encoding = unsafe encoding else { return encodingUnknown }
    let word = unsafe String(cString: name).lowercased()
    guard word == "windows-1252" || word == "cp1252" else { return encodingUnknown }
    unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { raw in
        let map = unsafe raw.bindMemory(to: Int32.self)
        for byte in 0..<256 { unsafe map[byte] = Int32(byte) }
        for (index, code) in windows1252.enumerated() { unsafe map[0x80 + index] = code }
    }
    unsafe encoding.pointee.data = nil
    unsafe encoding.pointee.convert = nil
    unsafe encoding.pointee.release = nil
    return encodingKnown
}

private let encodingUnknown: Int32 = 0
private let encodingKnown: Int32 = 1

/// Code points of the bytes 0x80–0x9F (Unicode's table CP1252.TXT); −1 where there is none.
private let windows1252: [Int32] = [
    0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D, -1,
    -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E,
    0x0178,
]
