internal import Foundation
package import Pins
internal import PrimaryStore
internal import RecordingStore

extension Library {
    /// The longest wait for servers to store what they have buffered: somebody waits for the answer.
    private static let flushMilliseconds = 2000

    /// Those of the places at which a person recorded a point within the last ten minutes; what servers have received
    /// but not stored yet is stored first, unless that is not needed.
    package func occupied(_ places: [PinPlace], by person: String, now: Int64) throws -> Set<PinPlace> {
        let known = try database.occupied(places, by: person, now: now)
        guard known.count < Set(places).count, !isReadOnly else { return known }
        _ = try database.moveEverything(
            of: coordination.recordingLog, timeoutMilliseconds: Self.flushMilliseconds)
        return try database.occupied(places, by: person, now: now)
    }
}
