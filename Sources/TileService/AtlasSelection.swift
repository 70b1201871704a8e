import HTTPCore
import PieceLog
import TileMath
import TrackStore
import Tracks

extension Atlas {
    /// What a selection comes to; throws the problem of a layer or a track that there is not for the viewer.
    func parts(of selection: TileSelection, _ edition: Edition, _ reader: GridReader) throws -> SelectedParts {
        let tracks = try trackNames.tracks(of: selection, in: library)
        return try SelectedParts(selection, tracks: tracks, in: edition, reader)
    }

    /// The box round the tracks that a selection names; nil where it names none, or none with a place.
    func bounds(of selection: TileSelection) throws -> BoundingBox? {
        guard let tracks = try trackNames.tracks(of: selection, in: library) else { return nil }
        let boxes = try library.truth.read { snapshot in
            try tracks.numbers.compactMap { try snapshot.track(number: $0)?.bounds }
        }
        return .enclosing(boxes.compactMap { BoundingBox($0) })
    }
}
