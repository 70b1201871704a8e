package import Pins
internal import PrimaryStore

extension Library {
    /// Removes pins completely: from the primary store, running servers and the disk.
    package func removePins(_ ids: [PinID]) throws -> Removal {
        try removeEverywhere({ _ in }) { try database.markRemoved(pins: ids) }
    }

    /// Removes all that a person has left on pins besides these pins, too: votes, reports and comments.
    package func removePins(_ ids: [PinID], andFeedbackOf person: String?) throws -> (feedback: Int, removal: Removal) {
        var feedback = 0
        let removal = try removeEverywhere({ _ in }) {
            feedback = try database.removeFeedback(of: person)
            return try database.markRemoved(pins: ids)
        }
        return (feedback, removal)
    }
}
