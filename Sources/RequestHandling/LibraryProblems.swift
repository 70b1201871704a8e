public import Database
public import HTTPCore
public import PrimaryStore
import TileDrawing

extension LibraryError: ProblemError {
    /// A damaged grid (wait), a read-only library (not possible here) and a full disk are reported to clients; all
    /// other errors are only for the operator.
    public var problem: Problem? {
        switch self {
        case _ where isDiskError:
            Problem(
                .insufficientStorage,
                "\(Self.diskCause), and the request was not finished; free disk space and try again")
        case .gridDamaged:
            Problem.unavailable(
                "the map was damaged and is being rebuilt; /health shows the progress",
                retryAfterSeconds: TileError.buildingRetrySeconds)
        case .readOnly: Self.readOnlyProblem
        case .database(_, let error): error.problem
        default: nil
        }
    }

    /// The cause of `isDiskError`, for clients.
    package static let diskCause = "the library's disk is full or failing"

    /// The cause of an error for clients. Details, such as the file, are only in the operator's log.
    package static func cause(of error: any Error) -> String {
        switch error {
        case let error as LibraryError where error.isDiskError: diskCause
        case LibraryError.database(_, let error) where error.isTemporary: StoreError.temporaryCause
        case let error as StoreError where error.isTemporary: StoreError.temporaryCause
        default: "see the server's log"
        }
    }

    /// The answer to changes of a library that is opened read-only.
    package static let readOnlyProblem = Problem(.forbidden, "this library is open read-only and cannot be changed")
}

extension StoreError: ProblemError {
    /// A database that cannot be used now (wait): a proxy can ask another node.
    public var problem: Problem? {
        isTemporary ? .unavailable(Self.temporaryCause, retryAfterSeconds: TileError.buildingRetrySeconds) : nil
    }

    /// The cause of `isTemporary`, for clients.
    fileprivate static let temporaryCause = "the library's database cannot be used now"
}

extension Problem {
    package static let noSuchLayer = Problem.notFound("no layer has this name; /layers lists them")
    package static let noSuchTrack = Problem.notFound("no track has this id")
}

extension SelectionError: ProblemError {
    /// What the query names does not exist.
    package var problem: Problem? { .notFound(description) }
}

extension TileError: ProblemError {
    /// The HTTP answer to each case.
    package var problem: Problem? {
        switch self {
        case .notFound(let detail): .notFound(detail)
        case .badRequest(let detail): .badRequest(detail)
        case .unavailable(let detail, let seconds): .unavailable(detail, retryAfterSeconds: seconds)
        case .inconsistent: .internalServerError
        }
    }
}
