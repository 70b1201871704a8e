import Tokens

extension TokenRecord {
    /// What the token's holder may do.
    var description: String {
        switch role {
        case .owner: "do everything"
        case .recorder:
            "read, and record for \(device.map { "the device '\($0)'" } ?? "any device")"
                + (person.map { " of '\($0)'" } ?? "")
        case .member: "read, record as '\(person ?? "")', and add pins, votes and comments"
        case .viewer: edition.map { "read the edition '\($0)'" } ?? "read"
        }
    }
}
