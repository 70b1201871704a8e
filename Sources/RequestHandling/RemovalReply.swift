package import HTTPCore
package import OpenAPI
package import TrackStore

extension Library.Removal {
    private struct Pending: Encodable {
        var id: String
        var complete = false
        var detail: String
    }

    /// `204` if it is complete, `202` with the reason if something is pending.
    package func reply(of id: String) throws -> OutgoingResponse {
        let detail: String
        switch self {
        case .complete: return .response(Response(status: .noContent))
        case .serverUnconfirmed: detail = "another server has not confirmed the removal yet"
        case .blockedByReader: detail = "the points will be overwritten when the library is next opened"
        }
        var response = try JSONResponse.response(Pending(id: id, detail: detail))
        response.status = .accepted
        response.forbidStoring()
        return .response(response)
    }
}

extension [APIResponse] {
    /// Of `reply(of:)`.
    package static let removal = [
        APIResponse("It is removed everywhere", nil, status: .noContent),
        APIResponse("A part of the removal is pending", .json, status: .accepted),
    ]
}
