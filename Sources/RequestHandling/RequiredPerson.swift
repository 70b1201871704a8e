package import HTTPCore

extension LibraryPerson {
    /// The person of a request that needs one; throws a `403` that names the `things` that only persons have.
    package static func required(_ caller: Caller, for things: String) throws(Problem) -> LibraryPerson {
        guard let person = caller.person else {
            throw Problem(.forbidden, "only persons have \(things); use a member's token")
        }
        return person
    }
}
