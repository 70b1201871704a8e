import Digest
import Pins
import RequestHandling
import Text
import VectorTiles

/// A vector tile of pins.
struct PinVectorTile {
    /// The tile; empty without pins.
    let bytes: [UInt8]
    /// That of the bytes: a tile is a few hundred numbers.
    let digest: ContentDigest

    static let description = VectorLayerDescription(
        "pins", "Pins that are alone in 64 pixels of 256, and the centres of several of them",
        [
            ("count", "Number: how many pins"), ("id", "String: the id of a pin that is alone"),
            ("category", "String: its category, or none"),
            ("time", "Number: its time in milliseconds since 1970, or none"),
            ("person", "String: the name of its person, none for the owner"), ("source", "String: where it comes from"),
        ])

    init(_ tile: PinTile, _ index: PinIndex) {
        var layer = VectorLayer(Self.description.id)
        for cluster in tile.clusters {
            layer.add(id: nil, Self.point(cluster.x, cluster.y), [("count", .integer(Int64(cluster.count)))])
        }
        for pin in tile.pins {
            guard let facts = index.facts(of: pin) else { continue }
            var attributes: [(key: String, value: VectorValue)] = [
                ("count", .integer(1)), ("id", .text(facts.id.description)), ("source", .text(facts.source.rawValue)),
            ]
            if let category = facts.category { attributes.append(("category", .text(category))) }
            if let time = facts.time { attributes.append(("time", .integer(time))) }
            if let person = facts.person { attributes.append(("person", .text(person))) }
            layer.add(id: facts.id.number, Self.point(pin.x, pin.y), attributes)
        }
        bytes = VectorTile.bytes(of: [layer])
        digest = ContentDigest(of: Array("vector tile of pins".utf8) + bytes)
    }

    private static func point(_ x: Double, _ y: Double) -> VectorGeometry {
        let units = Double(VectorTile.extent) / PinTile.side
        return .points([TilePlace(Int32((x * units).rounded()), Int32((y * units).rounded()))])
    }
}

extension PinID {
    /// The id of a feature.
    fileprivate var number: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
