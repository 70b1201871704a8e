import Tracks

/// A point being read; its place, time and fields can be set in any order.
struct PendingPoint {
    var place: Place?
    var time: Instant?
    private var numbers: [(FieldSlot, FixedDecimal)] = []
    private var texts: [(FieldSlot, String)] = []

    mutating func reset() {
        place = nil
        time = nil
        numbers.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }

    func has(_ slot: FieldSlot) -> Bool {
        numbers.contains { $0.0 == slot } || texts.contains { $0.0 == slot }
    }

    mutating func set(_ slot: FieldSlot, to number: FixedDecimal) {
        numbers.append((slot, number))
    }

    mutating func set(_ slot: FieldSlot, toText text: String) {
        texts.append((slot, text))
    }

    /// Sets a text, as a number if it is one in canonical form.
    mutating func set(_ slot: FieldSlot, to bytes: Span<UInt8>, _ range: Range<Int>) {
        if let number = FixedDecimal(plain: bytes, range) {
            set(slot, to: number)
        } else {
            set(slot, toText: Text.string(bytes, range))
        }
    }

    /// Adds the point with its fields; does nothing without a place.
    func add(to builder: inout ChunkBuilder) {
        guard let place else { return }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (slot, number) in numbers { builder.set(slot, to: number) }
        for (slot, text) in texts { builder.set(slot, toText: text) }
    }
}

extension ChunkBuilder {
    /// Sets a value of the newest point: a number if it is one in canonical form, otherwise a text.
    mutating func set(_ slot: FieldSlot, toSpelled value: String) {
        let bytes = Array(value.utf8)
        if let number = FixedDecimal(plain: bytes.span, bytes.indices) {
            set(slot, to: number)
        } else {
            set(slot, toText: value)
        }
    }
}
