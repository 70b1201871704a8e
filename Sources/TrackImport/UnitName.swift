import Foundation

/// A column name, split into the name and its unit.
struct UnitName {
    /// The name without its unit.
    let base: String
    /// The text in brackets or after "in"; nil if there is none.
    let spelling: String?

    init(_ name: String) {
        let pairs: [(Character, Character)] = [("(", ")"), ("[", "]"), ("{", "}")]
        for (open, close) in pairs {
            guard let start = name.firstIndex(of: open), start > name.startIndex else { continue }
            let inside = name[name.index(after: start)...]
            base = String(name[..<start])
            spelling = String(inside.prefix { $0 != close })
            return
        }
        if let found = name.range(of: " in ", options: .backwards) {
            base = String(name[..<found.lowerBound])
            spelling = String(name[found.upperBound...])
            return
        }
        base = name
        spelling = nil
    }
}
