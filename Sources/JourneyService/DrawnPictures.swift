import Journeys
import PrimaryStore
import Styling

/// The pictures of what was given none.
enum DrawnPictures {
    static func route(_ known: KnownRoute, _ theme: Theme) throws -> [UInt8] { throw JourneyProblem.noPicture }

    static func place(_ index: Int, of known: KnownRoute, _ theme: Theme) throws -> [UInt8] {
        throw JourneyProblem.noPicture
    }

    static func person(_ name: String) throws -> [UInt8] { throw JourneyProblem.noPicture }

    static func reward(_ reward: FocusReward) throws -> [UInt8] { throw JourneyProblem.noPicture }
}
