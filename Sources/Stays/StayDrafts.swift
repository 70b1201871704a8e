import Foundation
import TileMath

/// The stays that may still grow, by place.
///
/// Rows are twice `StayRule.radiusMetres` high, their cells at least as wide: what is near a place is in at most four
/// cells.
struct StayDrafts {
    /// A stay that may still grow.
    struct Draft {
        var part: StayPart
        /// The time of pauses within the stay, in milliseconds.
        var bridged: Int64 = 0
    }

    /// In the order in which they began; nil once removed.
    private var drafts: [Draft?] = []
    /// The indices of the drafts of each cell.
    private var cells: [Int64: [Int]] = [:]

    /// In 1e-7° along a meridian; more than the radius, because the distance is measured otherwise.
    private static var radius: Double { StayRule.radiusMetres / EarthSphere.metresPerUnit * 1.01 + 1 }
    private static var rowHeight: Int64 { 2 * Int64(radius.rounded(.up)) }
    private static var circle: Int64 { E7Longitude.turn }
    private static var pole: Int64 { 900_000_000 }
    /// Bits of the column in a key: more than a row has cells.
    private static let rowShift: Int64 = 32

    /// All drafts that are left, in the order in which they began.
    var remaining: [Draft] { drafts.compactMap { $0 } }

    mutating func append(_ draft: Draft) {
        cells[Self.cell(of: draft.part), default: []].append(drafts.count)
        drafts.append(draft)
    }

    /// Changes the draft with an index that `near` has returned.
    mutating func update(_ index: Int, _ body: (inout Draft) -> Void) {
        guard var draft = drafts[index] else { return }
        let before = Self.cell(of: draft.part)
        body(&draft)
        drafts[index] = draft
        let after = Self.cell(of: draft.part)
        guard after != before else { return }
        cells[before]?.removeAll { $0 == index }
        cells[after, default: []].append(index)
    }

    /// The drafts that may be within the radius of a part, with their indices. Those for which `isOver` returns true are
    /// removed, and `body` gets them.
    mutating func near(
        _ part: StayPart, removing isOver: (StayPart) -> Bool, _ body: (Draft) -> Void
    ) -> [(index: Int, part: StayPart)] {
        var found: [(index: Int, part: StayPart)] = []
        for cell in Self.cells(near: part) {
            guard var indices = cells[cell] else { continue }
            let count = indices.count
            indices.removeAll { index in
                guard let draft = drafts[index] else { return true }
                guard isOver(draft.part) else {
                    found.append((index, draft.part))
                    return false
                }
                drafts[index] = nil
                body(draft)
                return true
            }
            if indices.count < count { cells[cell] = indices.isEmpty ? nil : indices }
        }
        return found
    }

    // MARK: Cells

    private static func cell(of part: StayPart) -> Int64 {
        let row = row(Int64(part.latitude))
        return key(row: row, column: column(Int64(part.longitude), of: width(ofRow: row)))
    }

    /// The cells that contain everything within the radius of a part, each once, in the same order each time.
    private static func cells(near part: StayPart) -> [Int64] {
        let reach = Int64(radius.rounded(.up))
        var cells: [Int64] = []
        for row in row(Int64(part.latitude) - reach)...row(Int64(part.latitude) + reach) {
            let width = width(ofRow: row)
            let west = column(Int64(part.longitude) - width.reach, of: width)
            let east = column(Int64(part.longitude) + width.reach, of: width)
            cells.append(key(row: row, column: west))
            if east != west { cells.append(key(row: row, column: east)) }
        }
        return cells
    }

    private static func key(row: Int64, column: Int64) -> Int64 { row << rowShift | column }

    private static func row(_ latitude: Int64) -> Int64 {
        (min(pole, max(-pole, latitude)) + pole) / rowHeight
    }

    /// The number of cells of a row, and the radius in 1e-7° of longitude at most: half of a cell. A row at a pole is one
    /// cell.
    private static func width(ofRow row: Int64) -> (columns: Int64, reach: Int64) {
        // What is near a row is at most one row farther from the equator.
        let edges = [(row - 1) * rowHeight - pole, (row + 2) * rowHeight - pole]
        let outermost = edges.map(\.magnitude).max() ?? 0
        guard outermost < pole.magnitude else { return (1, 0) }
        let reach = (radius / cos(Double(outermost) * 1e-7 * .pi / 180)).rounded(.up)
        let columns = Int64(Double(circle) / (2 * reach))
        return columns < 2 ? (1, 0) : (columns, Int64(reach))
    }

    private static func column(_ longitude: Int64, of width: (columns: Int64, reach: Int64)) -> Int64 {
        let east = (longitude + circle / 2 + circle) % circle
        // At most 2^62.
        return east * width.columns / circle
    }
}
