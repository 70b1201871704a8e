import Caching
import GridStorage
import TileMath

/// Which colour tables of all time that pictures of a snapshot used are different in a newer one.
struct TableChanges {
    private var changed: Set<GridSnapshot.TableKey> = []
    private var unchanged: Set<GridSnapshot.TableKey> = []
    /// Whether tables were used that are not cached any more: any of them may be different.
    private let hasUnknown: Bool

    init(from older: GridSnapshot, to newer: GridSnapshot, _ reader: GridReader) throws {
        let (tables, hasEvicted) = older.allTimeTables.contents
        hasUnknown = hasEvicted
        for (key, made) in tables {
            let now = try newer.colors(made.symbolizer, key, reader)
            if now.digest == made.colors.digest {
                unchanged.insert(key)
            } else {
                changed.insert(key)
            }
        }
    }

    /// Whether pictures of the older snapshot may have been drawn with a table that is different now.
    func mayContain(_ key: GridSnapshot.TableKey) -> Bool {
        changed.contains(key) || hasUnknown && !unchanged.contains(key)
    }

    /// The zoom levels at which colours may be different.
    var zooms: Set<ZoomLevel> {
        guard !hasUnknown else { return Set((0...ZoomLevel.deepest.number).compactMap { ZoomLevel($0) }) }
        return Set(changed.flatMap(\.zooms))
    }
}
