/// A radix sort for codes; it reads only the bits in which the codes differ.
public struct CodeSorter: Sendable {
    private var scratch: [UInt64] = []
    private var positions: [Int] = []

    /// Below this many codes the standard sort is as fast.
    private static let smallCount = 96
    private static let digitBits: UInt64 = 8
    private static let digitCount = 256

    /// Creates a sorter; it keeps its scratch memory between calls.
    public init() {}

    /// Sorts the codes and removes duplicates; 8–12 ns per code for a day in a city.
    public mutating func sortDistinct(_ codes: inout [UInt64]) {
        guard codes.count > 1 else { return }
        if codes.count < Self.smallCount { codes.sort() } else { sortByDigits(&codes) }
        var kept = 1
        var last = codes[0]
        for index in 1..<codes.count {
            let code = codes[index]
            if code == last { continue }
            last = code
            codes[kept] = code
            kept += 1
        }
        codes.removeSubrange(kept...)
    }

    private mutating func sortByDigits(_ codes: inout [UInt64]) {
        let first = codes[0]
        var differing: UInt64 = 0
        // Codes of a day in a city share their high bits, so that fewer than eight passes remain.
        for code in codes { differing |= code ^ first }
        if scratch.count < codes.count { scratch = [UInt64](repeating: 0, count: codes.count) }
        if positions.isEmpty { positions = [Int](repeating: 0, count: Self.digitCount) }
        var shift = UInt64(differing.trailingZeroBitCount)
        let top = UInt64(64 - differing.leadingZeroBitCount)
        var inCodes = true
        let count = codes.count
        while shift < top {
            if inCodes {
                Self.distribute(codes, into: &scratch, count: count, shift: shift, positions: &positions)
            } else {
                Self.distribute(scratch, into: &codes, count: count, shift: shift, positions: &positions)
            }
            inCodes.toggle()
            shift += Self.digitBits
        }
        if !inCodes {
            for index in 0..<count { codes[index] = scratch[index] }
        }
    }

    private static func distribute(
        _ source: [UInt64], into target: inout [UInt64], count: Int, shift: UInt64, positions: inout [Int]
    ) {
        for digit in 0..<digitCount { positions[digit] = 0 }
        for index in 0..<count { positions[Int((source[index] >> shift) & 0xFF)] += 1 }
        var next = 0
        for digit in 0..<digitCount {
            let here = positions[digit]
            positions[digit] = next
            next += here
        }
        for index in 0..<count {
            let code = source[index]
            let digit = Int((code >> shift) & 0xFF)
            target[positions[digit]] = code
            positions[digit] += 1
        }
    }

    /// Sorts keys; returns where each was before. Equal keys keep their order.
    ///
    /// In all it takes 24 bytes a key: the largest arrays of an import are sorted here.
    package static func order(of keys: inout [UInt64]) -> [UInt32] {
        var indices = keys.indices.map { UInt32($0) }
        guard keys.count > smallCount else {
            indices.sort { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
            keys.sort()
            return indices
        }
        var differing: UInt64 = 0
        for key in keys { differing |= key ^ keys[0] }
        var otherKeys = [UInt64](repeating: 0, count: keys.count)
        var otherIndices = [UInt32](repeating: 0, count: keys.count)
        var shift = UInt64(differing.trailingZeroBitCount)
        let top = UInt64(64 - differing.leadingZeroBitCount)
        while shift < top {
            distribute(keys, indices, into: &otherKeys, &otherIndices, shift: shift)
            swap(&keys, &otherKeys)
            swap(&indices, &otherIndices)
            shift += wideDigitBits
        }
        return indices
    }

    private static let wideDigitBits: UInt64 = 11

    private static func distribute(
        _ keys: [UInt64], _ indices: [UInt32], into keyTarget: inout [UInt64], _ indexTarget: inout [UInt32],
        shift: UInt64
    ) {
        let digitMask = 1 << Int(wideDigitBits) - 1
        var positions = [Int](repeating: 0, count: digitMask + 1)
        for key in keys { positions[Int(truncatingIfNeeded: key >> shift) & digitMask] += 1 }
        var next = 0
        for digit in positions.indices {
            let here = positions[digit]
            positions[digit] = next
            next += here
        }
        var sortedKeys = keyTarget.mutableSpan
        var sortedIndices = indexTarget.mutableSpan
        for index in keys.indices {
            let key = keys[index]
            let digit = Int(truncatingIfNeeded: key >> shift) & digitMask
            let position = positions[digit]
            positions[digit] = position + 1
            sortedKeys[position] = key
            sortedIndices[position] = indices[index]
        }
    }
}
