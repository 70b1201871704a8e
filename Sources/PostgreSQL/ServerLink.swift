internal import CPostgreSQL
internal import Database
internal import Locking

/// A command to the server, as one message of the extended protocol.
enum Command {
    /// A statement without parameters.
    case plain(String)
    /// Prepares a statement under a name; types of its parameters that are 0 are found by the server.
    case prepare(name: String, String, types: [UInt32])
    /// Asks for the types of the parameters and of the result of a prepared statement.
    case describe(name: String)
    /// Runs a prepared statement.
    case execute(name: String, Parameters)
    /// Runs a statement that is not prepared.
    case run(String, Parameters, types: [UInt32])
}

/// A connection of libpq, used by one thread at a time.
///
/// Safe: the handle is private to this target and lives as long as the object; libpq copies what it is given.
@safe
final class ServerLink {
    let handle: OpaquePointer
    /// The notices that the server has sent; libpq calls back only while a function of this link runs.
    private let notices = NoticeList()
    /// The index of the last command that has failed, among those that were run with it.
    var failedCommand = 0
    /// Whether the result of a command is still to be read that nobody waits for.
    private var isPending = false

    /// Connects. `location` is a URI or a list of keywords, as libpq reads them; what it does not say is found in the
    /// environment.
    init(_ location: String) throws(StoreError) {
        // Later keywords take precedence over earlier ones.
        let settings = [
            ("fallback_application_name", "tileserve"), ("connect_timeout", "10"),
            // A server that was cut off is given up after some 20 s, instead of the two hours of the system's settings.
            ("tcp_user_timeout", "20000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "2"), ("dbname", location), ("client_encoding", "UTF8"),
        ]
        let opened = unsafe Self.withStrings(settings.map(\.0)) { keywords in
            unsafe Self.withStrings(settings.map(\.1)) { values in unsafe PQconnectdbParams(keywords, values, 1) }
        }
        guard let handle = unsafe opened else {
            throw StoreError(.other, code: "PostgreSQL", message: "out of memory", statement: nil)
        }
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
            unsafe PQfinish(handle)
            throw StoreError(
                .cannotOpen, code: "PostgreSQL 08001", message: QueryResult.oneLine(message), statement: nil)
        }
        unsafe self.handle = handle
        let context = unsafe Unmanaged.passUnretained(notices).toOpaque()
        unsafe PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context = unsafe context else { return }
                let text = unsafe PQresultErrorField(result, 77).map { unsafe String(cString: $0) } ?? ""
                unsafe Unmanaged<NoticeList>.fromOpaque(context).takeUnretainedValue().texts.append(text)
            }, context)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    private final class NoticeList {
        var texts: [String] = []
    }

    /// Calls `body` with these texts as libpq takes them: a list that ends with a null pointer.
    @unsafe
    private static func withStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let bytes = texts.map { Array($0.utf8CString) }
        let joined = bytes.flatMap { $0 }
        return unsafe joined.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            var offset = 0
            for text in bytes {
                unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + offset })
                offset += text.count
            }
            unsafe pointers.append(nil)
            return unsafe body(pointers)
        }
    }

    /// Whether the connection is lost.
    var isLost: Bool { unsafe PQstatus(handle) != CONNECTION_OK }

    /// Whether a transaction is open, also one that has failed.
    var isInTransaction: Bool {
        switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
        default: false
        }
    }

    /// The notices since the last call.
    func takeNotices() -> [String] {
        defer { notices.texts = [] }
        return notices.texts
    }

    // MARK: Sending

    func send(_ command: Command) throws(StoreError) {
        let isSent: Int32
        switch command {
        case .plain(let sql):
            isSent = unsafe tileserve_send_query(handle, sql, 0, nil, nil, nil, nil)
        case .prepare(let name, let sql, let types):
            isSent = unsafe PQsendPrepare(handle, name, sql, Int32(types.count), types)
        case .describe(let name):
            isSent = unsafe PQsendDescribePrepared(handle, name)
        case .execute(let name, let parameters):
            isSent = unsafe parameters.withPointers { values, lengths, formats in
                unsafe PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
            }
        case .run(let sql, let parameters, let types):
            isSent = unsafe parameters.withPointers { values, lengths, formats in
                unsafe tileserve_send_query(
                    handle, sql, Int32(parameters.count), types, values, lengths, formats)
            }
        }
        if isSent == 0 { throw failure(command.sql) }
    }

    /// Sends a command without waiting for its result.
    func sendPending(_ command: Command) throws(StoreError) {
        try send(command)
        isPending = true
    }

    /// Reads the result of the command that nobody has waited for. If it has failed, the connection is lost or the next
    /// command fails.
    func finishPending() {
        guard isPending else { return }
        isPending = false
        while next() != nil {}
    }

    func enterPipeline() throws(StoreError) {
        if unsafe PQenterPipelineMode(handle) == 0 { throw failure(nil) }
    }

    func leavePipeline() throws(StoreError) {
        if unsafe PQexitPipelineMode(handle) == 0 { throw failure(nil) }
    }

    var isInPipeline: Bool { unsafe PQpipelineStatus(handle) != PQ_PIPELINE_OFF }

    /// Ends the commands that fail together, and sends them all.
    func sync() throws(StoreError) {
        if unsafe PQpipelineSync(handle) == 0 { throw failure(nil) }
    }

    /// Lets each row of the next command's result come as a result of its own.
    func useSingleRows() {
        // It fails only if the command is no query, and then there are no rows.
        _ = unsafe PQsetSingleRowMode(handle)
    }

    /// The next result of the current command; nil after its last.
    func next() -> QueryResult? {
        unsafe PQgetResult(handle).map { unsafe QueryResult($0) }
    }

    /// The last failure of a function that has no result.
    func failure(_ statement: String?) -> StoreError {
        let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        return .server(
            state: isLost ? "08006" : "XX000", message: QueryResult.oneLine(message), statement: statement)
    }

    // MARK: COPY

    /// Sends bytes of a COPY.
    func copy(_ bytes: [UInt8], _ statement: String) throws(StoreError) {
        let isSent = unsafe bytes.withUnsafeBytes { buffer in
            unsafe PQputCopyData(
                handle, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
        }
        if isSent != 1 { throw failure(statement) }
    }

    /// Ends a COPY; `error` makes the server undo it.
    func endCopy(error: String?, _ statement: String) throws(StoreError) {
        if unsafe PQputCopyEnd(handle, error) != 1 { throw failure(statement) }
    }

    // MARK: Notifications

    /// The file descriptor of the connection.
    var socket: Int32? {
        let number = unsafe PQsocket(handle)
        return number >= 0 ? number : nil
    }

    /// The texts of the notifications that have come.
    func takeNotifications() throws(StoreError) -> [String] {
        // libpq reads no further than to a result that nobody has taken.
        finishPending()
        if unsafe PQconsumeInput(handle) == 0 { throw failure(nil) }
        var texts: [String] = []
        while let notification = unsafe PQnotifies(handle) {
            unsafe texts.append(notification.pointee.extra.map { unsafe String(cString: $0) } ?? "")
            unsafe PQfreemem(notification)
        }
        return texts
    }

    /// What stops a running statement from another thread.
    func cancellation() -> Cancellation? {
        unsafe PQgetCancel(handle).map { unsafe Cancellation($0) }
    }
}

/// Stops the statement that a session is running; may be used by any thread.
@safe
public final class Cancellation: @unchecked Sendable {
    // `@unchecked Sendable`: libpq allows `PQcancel` in any thread, and nothing else uses the handle.
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQfreeCancel(handle)
    }

    /// Asks the server to stop the statement, which then fails as `StoreError.Kind.busy`; does nothing if none runs.
    /// Returns false if the server could not be asked.
    public func cancel() -> Bool {
        var message = [CChar](repeating: 0, count: 256)
        return unsafe message.withUnsafeMutableBufferPointer { buffer in
            unsafe PQcancel(handle, buffer.baseAddress, Int32(buffer.count)) == 1
        }
    }
}

extension Command {
    /// The statement, for messages.
    var sql: String? {
        switch self {
        case .plain(let sql), .prepare(_, let sql, _), .run(let sql, _, _): sql
        case .describe, .execute: nil
        }
    }
}
