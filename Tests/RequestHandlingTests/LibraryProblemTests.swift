import Database
import HTTPCore
import PrimaryStore
import RequestHandling
import Testing

@Suite struct LibraryProblemTests {
    private func status(_ error: any Error) -> Status { Problem.response(to: error).status }

    private func error(_ kind: StoreError.Kind, _ code: String) -> StoreError {
        StoreError(kind, code: code, message: "secret", statement: nil)
    }

    @Test func `a database that cannot be used now is asked again, other errors are internal`() {
        let away = error(.cannotOpen, "PostgreSQL 08006")
        for error in [away, error(.busy, "SQLite 5"), error(.busy, "PostgreSQL 55P03")] {
            for error: any Error in [error, LibraryError.database(path: "secret", error)] {
                let response = Problem.response(to: error)
                #expect(response.status == .serviceUnavailable && response[.retryAfter] != nil)
                #expect(!LibraryError.cause(of: error).contains("secret"))
            }
        }
        // A file that cannot be opened stays so.
        for error in [error(.cannotOpen, "SQLite 14"), error(.other, "PostgreSQL 23505"), error(.damaged, "SQLite 11")]
        {
            #expect(status(error) == .internalServerError)
            #expect(status(LibraryError.database(path: "secret", error)) == .internalServerError)
        }
        #expect(status(LibraryError.database(path: "secret", error(.disk, "SQLite 13"))) == .insufficientStorage)
    }
}
