import HTTPCore

/// A way to send a token.
package enum APISecurity: String, CaseIterable, Sendable {
    case bearer, basic, key
    case dawarichKey, reittiKey, reittiHeader, openGTSAccount, session
    /// None, or in a way that is not part of these: in the path, or in the body of a login.
    case none

    /// Those that a permission accepts.
    static func usual(_ permission: Permission) -> [APISecurity] {
        switch permission {
        case .nothing: []
        case .read, .inspect, .record: [.bearer, .basic, .key]
        case .change, .contribute, .request: [.bearer, .basic]
        case .session: [.session, .none]
        }
    }

    /// The kind of scheme, its place, the parameter's name, and a sentence.
    var scheme: (type: String, members: [(String, String)], detail: String)? {
        switch self {
        case .bearer: ("http", [("scheme", "bearer")], "A token of `tileserve tokens add`")
        case .basic: ("http", [("scheme", "basic")], "Any user, and the token as password")
        case .key: ("apiKey", [("in", "query"), ("name", RequestTarget.secretParameter)], "To read and to record only")
        case .dawarichKey: ("apiKey", [("in", "query"), ("name", "api_key")], "As apps for Dawarich send it")
        case .reittiKey: ("apiKey", [("in", "query"), ("name", "token")], "As apps for Reitti send it")
        case .reittiHeader: ("apiKey", [("in", "header"), ("name", "X-API-Token")], "As apps for Reitti send it")
        case .openGTSAccount: ("apiKey", [("in", "query"), ("name", "acct")], "As the account of OpenGTS")
        case .session: ("apiKey", [("in", "cookie"), ("name", SessionCookie.name)], "Set by a login of μlogger")
        case .none: nil
        }
    }
}
