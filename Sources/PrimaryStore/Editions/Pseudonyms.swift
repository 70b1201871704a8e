import Digest

/// Names that are the same in all answers of an edition, and tell nothing.
extension Edition {
    private static let digits = 8

    /// A name for a person.
    package func pseudonym(of person: String) -> String {
        var digester = Digester()
        digester.update(bytes: key)
        digester.update(person)
        return "person-" + digester.finish().description.prefix(Self.digits)
    }

    /// A name for a device of a person; nil stands for the owner.
    package func pseudonym(ofDevice device: String, of person: String?) -> String {
        var digester = Digester()
        digester.update(bytes: key)
        digester.update(person ?? "")
        digester.update(device)
        return "device-" + digester.finish().description.prefix(Self.digits)
    }
}
