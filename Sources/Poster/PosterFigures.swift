import Foundation
import PrimaryStore
import Text
import TileDrawing
import TrackStore
import Tracks

/// The figures below the map: of the tracks that pass through the poster's box.
struct PosterFigures: Equatable {
    var tracks = 0
    var metres = 0.0
    var years: ClosedRange<Int>?

    /// Tracks in memory at once.
    private static let pageTracks = 500

    /// Counts the tracks of a request; throws `CancellationError` when `isCancelled`.
    init(_ request: PosterRequest, in library: Library, isCancelled: @escaping @Sendable () -> Bool) throws {
        let selection = request.selection
        guard var filter = try library.filter(layer: selection.layer) else { return }
        let calendar = try library.calendar()
        filter.limit(to: selection.window, in: calendar)
        filter.isCancelled = isCancelled
        filter.bounds = E7Bounds(request.box)
        let chosen = Set(selection.tracks)
        let (first, last) = (filter.from ?? .min, filter.to.map { $0 - 1 } ?? .max)
        var after: String?
        repeat {
            let page = try library.database.tracks(filter, limit: Self.pageTracks, after: after)
            for track in page?.tracks ?? [] where chosen.isEmpty || chosen.contains(track.id) {
                tracks += 1
                metres += track.metres
                for instant in [track.start, track.end].compactMap({ $0 }) {
                    // A track at the edge of the window may begin or end outside.
                    let inWindow = min(max(instant, first), last)
                    let year = CivilDay(daysSince1970: calendar.day(of: inWindow)).year
                    years = min(years?.lowerBound ?? year, year)...max(years?.upperBound ?? year, year)
                }
            }
            after = page?.next
        } while after != nil
    }

    /// Such as `391 tracks · 7,302 km · 2015–2024`.
    var text: String {
        let kilometres = metres / 1000
        var parts = [
            DisplayText.count(tracks, "track"),
            (kilometres < 10 ? String(format: "%.1f", kilometres) : DisplayText.count(Int(kilometres.rounded())))
                + " km",
        ]
        if let years {
            parts.append(
                years.lowerBound == years.upperBound ? "\(years.lowerBound)" : "\(years.lowerBound)–\(years.upperBound)"
            )
        }
        return parts.joined(separator: " · ")
    }
}
