package import HTTPCore
package import OpenAPI
package import TrackStore

extension Library.Removal {
    private struct Remainder: Encodable {
        var id: String
        var complete: Bool
        var detail: String
    }

    /// `204` if it is complete, `200` with the reason if more than a database can do is left, `202` with the reason if
    /// something is pending.
    package func reply(of id: String) throws -> OutgoingResponse {
        let detail: String
        switch self {
        case .complete: return .response(Response(status: .noContent))
        case .deleted:
            detail = "files, log and backups of the database server hold the points until these are used again"
        case .serverUnconfirmed: detail = "another server has not confirmed the removal yet"
        case .blockedByReader: detail = "the points will be overwritten when the library is next opened"
        }
        let isComplete = self == .deleted
        var response = try JSONResponse.response(Remainder(id: id, complete: isComplete, detail: detail))
        response.status = isComplete ? .ok : .accepted
        response.forbidStoring()
        return .response(response)
    }
}

extension [APIResponse] {
    /// Of `reply(of:)`.
    package static let removal = [
        APIResponse("It is removed everywhere", nil, status: .noContent),
        APIResponse("It is removed everywhere; the server of the database does not overwrite it", .json),
        APIResponse("A part of the removal is pending", .json, status: .accepted),
    ]
}
