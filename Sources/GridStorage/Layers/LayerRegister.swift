import Database
package import PrimaryStore
import TileLog
import TrackQuery
import Tracks

/// Updates the list of the operator's layers in a grid from the primary store, and their members, within a transaction
/// of the caller. The rows of layers are built and deleted step by step afterwards, see `LayerWork`.
struct LayerRegister {
    let session: any Session
    let source: any GridSource
    let calendar: DayCalendar

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Removes layers that are no longer defined and adds new ones, to be built. A layer whose number is still used by
    /// a removed one is added by a later call.
    func update(_ definitions: [LayerDefinition]) throws {
        for layer in try reader.layers() where !definitions.contains(where: { layer.isBuilt(by: $0) }) {
            try markForDeletion(layer)
        }
        // Including layers that are being deleted: their rows still use the number.
        let taken = Set(try session.rows("SELECT number FROM layers") { $0.integer(0) })
        let new = definitions.filter { !taken.contains(Int64($0.number)) }
        guard !new.isEmpty else { return }
        var members = new.map { _ in LayerMembers() }
        try source.forEachFacts { number, facts in
            for index in new.indices where new[index].condition.admits(facts, in: calendar) {
                members[index].set(number, to: true)
            }
        }
        for (layer, set) in zip(new, members) {
            try insert(layer, as: .building)
            try writer.write(members: set, of: layer.number)
        }
    }

    /// Adds layers to an empty grid; their rows are built together with the grid.
    func insertReady(_ definitions: [LayerDefinition]) throws {
        for layer in definitions { try insert(layer, as: .ready) }
    }

    /// Of tracks with changed descriptions, those that enter or leave a layer.
    func tracksChangingLayers(of numbers: [Int64], _ definitions: [LayerDefinition]) throws -> [Int64] {
        guard !numbers.isEmpty, !definitions.isEmpty else { return [] }
        let before = try reader.members()
        let layers = definitions.compactMap { layer in before[layer.number].map { (layer.condition, $0) } }
        return try numbers.filter { number in
            guard let track = try source.gridTrack(number) else { return false }
            return layers.contains { $0.0.admits(track.facts, in: calendar) != $0.1.contains(number) }
        }
    }

    /// The members of each layer after some tracks were removed or changed.
    static func members(
        _ before: [UInt8: LayerMembers], without numbers: [Int64], with facts: [(number: Int64, facts: TrackFacts)],
        of layers: [GridLayer], _ definitions: [LayerDefinition], _ calendar: DayCalendar
    ) -> [UInt8: LayerMembers] {
        var members: [UInt8: LayerMembers] = [:]
        for layer in layers {
            guard let condition = definitions.first(where: { $0.number == layer.number })?.condition else { continue }
            var set = before[layer.number] ?? LayerMembers()
            for number in numbers { set.set(number, to: false) }
            for (number, facts) in facts where condition.admits(facts, in: calendar) { set.set(number, to: true) }
            members[layer.number] = set
        }
        return members
    }

    private func insert(_ layer: LayerDefinition, as state: LayerState) throws {
        try session.run(
            "INSERT INTO layers VALUES ($1, $2, $3, $4, 0, 0, 0)",
            [
                .integer(Int(layer.number)), .text(layer.name), .text(layer.condition.text), .integer(state.rawValue),
            ])
    }

    private func markForDeletion(_ layer: GridLayer) throws {
        let number = Value.integer(Int(layer.number))
        try session.run(
            "UPDATE layers SET state = $1, cursor = 0, done = 0, work = 0 WHERE number = $2",
            [.integer(LayerState.beingDeleted.rawValue), number])
        try session.run("DELETE FROM histograms WHERE key & 255 = $1", [number])
        try session.run("DELETE FROM members WHERE key >> 40 = $1", [number])
    }
}

extension GridLayer {
    /// Whether it was built from this definition.
    package func isBuilt(by definition: LayerDefinition) -> Bool {
        number == definition.number && name == definition.name && condition == definition.condition.text
    }
}

extension GridWriter {
    /// Writes all members of a layer that has none yet.
    func write(members: LayerMembers, of layer: UInt8) throws {
        let blocks = members.blockCount
        for block in 0..<blocks { try write(block: block, of: members, layer: layer) }
    }

    /// Writes the members of a layer after some tracks were added or removed.
    func write(members: LayerMembers, of layer: UInt8, changed numbers: [Int64]) throws {
        for block in Set(numbers.map { $0 / LayerMembers.blockTracks }).sorted() {
            try write(block: block, of: members, layer: layer)
        }
    }

    private func write(block: Int64, of members: LayerMembers, layer: UInt8) throws {
        let key = GridSchema.memberKey(layer: layer, block: block)
        try write(members.block(block), .members, key)
    }
}
