import HTTPCore

extension LibraryPerson {
    /// The person of a request that needs one; throws a `403`.
    static func required(_ caller: Caller) throws(Problem) -> LibraryPerson {
        guard let person = caller.person else {
            throw Problem(.forbidden, "only persons have favourites and a history; use a member's token")
        }
        return person
    }
}
