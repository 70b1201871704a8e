public import TileMath

/// The address of a place: what a service or a file says.
public struct PostalAddress: Hashable, Sendable {
    /// In one line: "Kerkstraat 5, Cadzand".
    public let label: String
    /// The city, town or village.
    public let place: String?
    /// The state, province or canton.
    public let region: String?
    /// Two letters of ISO 3166-1.
    public let country: String?
    /// Where the address is; nil if the source does not say.
    public let position: GeoPoint?
    /// Whose data it is, to be shown with it.
    public let source: String

    /// Longer texts are cut, in Unicode scalars: a character can consist of any number of them.
    static let textLimit = 300

    /// nil if the label is empty or says that there is no address. Texts lose control characters and are cut;
    /// a country that is not of two letters is left out.
    public init?(
        label: String, place: String? = nil, region: String? = nil, country: String? = nil, position: GeoPoint? = nil,
        source: String
    ) {
        guard let label = Self.normalized(label), !Self.meansNone.contains(label.lowercased()) else { return nil }
        self.label = label
        self.place = place.flatMap(Self.normalized)
        self.region = region.flatMap(Self.normalized)
        let code = country.map { $0.uppercased() }
        self.country = code.flatMap { $0.utf8.count == 2 && $0.utf8.allSatisfy { (65...90).contains($0) } ? $0 : nil }
        self.position = position
        self.source = Self.normalized(source) ?? ""
    }

    /// What programs write where they know no address.
    private static let meansNone: Set<String> = ["n/a", "-", "unknown", "null"]

    private static func normalized(_ text: String) -> String? {
        var words: [Substring] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || $0.isNewline }) {
            words.append(
                word.filter { character in
                    character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                }[...])
        }
        let joined = words.filter { !$0.isEmpty }.joined(separator: " ")
        var cut = joined.unicodeScalars.prefix(textLimit)
        while cut.last == " " { cut.removeLast() }
        return cut.isEmpty ? nil : String(cut)
    }
}
