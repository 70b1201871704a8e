import JourneyRendering
import Journeys
import Locking
import Styling

/// The pictures of what was given none.
enum DrawnPictures {
    static func route(_ known: KnownRoute, _ theme: Theme) throws -> [UInt8] {
        try MapPicture(known.prepared.value.get(), theme: theme).ofRoute()
    }

    static func place(_ index: Int, of known: KnownRoute, _ theme: Theme) throws -> [UInt8] {
        try MapPicture(known.prepared.value.get(), theme: theme).ofPlace(index)
    }

    static func person(_ name: String) throws -> [UInt8] { try PersonPicture(name: name).png() }

    static func reward(_ reward: FocusReward) throws -> [UInt8] { try RewardPicture(hours: reward.hours).png() }
}
