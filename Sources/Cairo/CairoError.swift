import CCairo

/// A cairo status other than success.
public struct CairoError: Error, Equatable, CustomStringConvertible {
    /// cairo's status code (`cairo_status_t`).
    public let code: UInt32

    init(_ status: cairo_status_t) {
        code = UInt32(status.rawValue)
    }

    public var description: String {
        guard let text = unsafe cairo_status_to_string(cairo_status_t(rawValue: code)) else { return "cairo: \(code)" }
        return unsafe "cairo: \(String(cString: text))"
    }

    static func check(_ status: cairo_status_t) throws(CairoError) {
        guard status == CAIRO_STATUS_SUCCESS else { throw CairoError(status) }
    }
}
