internal import CGEOS

/// A context of GEOS: the place of its messages. Geometries keep theirs.
///
/// Not thread-safe, as nothing that was made with it: a computation has a context of its own.
@safe
public final class GEOSContext {
    let handle: OpaquePointer
    private var message = ""

    /// Throws if there is no memory.
    public init() throws(GEOSError) {
        guard let created = unsafe GEOS_init_r() else { throw .outOfMemory }
        unsafe handle = created
        // The messages end with the context, so its address is valid as long as GEOS uses it.
        _ = unsafe GEOSContext_setErrorMessageHandler_r(
            handle, { unsafe GEOSContext.receive($0, $1) }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe GEOS_finish_r(handle)
    }

    private static func receive(_ text: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
        guard let text = unsafe text, let context = unsafe context else { return }
        let message = unsafe String(cString: text)
        unsafe Unmanaged<GEOSContext>.fromOpaque(context).takeUnretainedValue().message = message
    }

    /// The error of the last call.
    func failure() -> GEOSError {
        defer { message = "" }
        return .failed(message.isEmpty ? "GEOS gave no reason" : message)
    }

    /// A geometry that GEOS has made, or the error.
    func geometry(_ pointer: OpaquePointer?) throws(GEOSError) -> OpaquePointer {
        guard let pointer = unsafe pointer else { throw failure() }
        return unsafe pointer
    }

    /// A yes or no of GEOS, where 2 is an error.
    func truth(_ status: CChar) throws(GEOSError) -> Bool {
        guard status == 0 || status == 1 else { throw failure() }
        return status == 1
    }
}
