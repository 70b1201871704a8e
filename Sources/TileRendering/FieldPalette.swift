import Styling

/// Maps the values of a field, which a kernel has computed, to the palette of a colour table.
///
/// A value is looked up by its exponent and the first bits of its mantissa, so a colour begins up to 3 % below its
/// bound, and never above it.
struct FieldPalette {
    /// The palette index of each entry.
    let indices: [UInt8]

    /// What is left of a value has 32 entries an octave.
    private static let droppedBits: UInt32 = 18
    /// Before the entry of 1, the smallest value of a weighted count. Entry 0 stands for all smaller values.
    private static let entryBeforeOne = Int32(Float(1).bitPattern >> droppedBits) - 1
    /// All counts times the sum of all weights are less than 2^62.
    private static let entries = Int32(Float(0x1p62).bitPattern >> droppedBits) - entryBeforeOne

    /// The palette of a table made for a kernel. `fadeShare` is multiplied by the fractions of a count at which colours
    /// fade in.
    init(_ table: ColorTable, _ kernel: Kernel, fadeShare: Double) {
        self.init(bounds: table.lowerBounds, kernel, fadeShare)
    }

    /// The palette of fractions of a count: the colours that fade in, then the colour of one count.
    init(fractionsOf kernel: Kernel, fadeShare: Double) {
        self.init(bounds: ColorTable.fades.map(\.from) + [ColorTable.fadeEnd], kernel, fadeShare)
    }

    /// `bounds` are in parts of a count, ascending.
    private init(bounds: [UInt32], _ kernel: Kernel, _ fadeShare: Double) {
        let bounds = bounds.enumerated().map { index, bound in
            let share = index <= ColorTable.fades.count ? fadeShare : 1
            return Double(bound) / Double(ColorTable.kernelUnit) * Double(kernel.unit) * share
        }
        var indices: [UInt8] = [0]
        var index = 0
        for entry in 1..<Self.entries {
            let end = Double(Float(bitPattern: UInt32(entry + 1 + Self.entryBeforeOne) << Self.droppedBits))
            while index < bounds.count, bounds[index] < end { index += 1 }
            indices.append(UInt8(index))
        }
        self.indices = indices
    }

    /// The entries of eight values.
    @inline(__always)
    static func entries(of values: SIMD8<Float>) -> SIMD8<Int32> {
        // Lanes with constant numbers, and no comparison of vectors: the compiler makes vector operations of these, while
        // loops over lanes write them to memory one by one and read them back as a whole, which is ten times slower.
        let patterns = SIMD8(
            values[0].bitPattern, values[1].bitPattern, values[2].bitPattern, values[3].bitPattern,
            values[4].bitPattern, values[5].bitPattern, values[6].bitPattern, values[7].bitPattern)
        let bits = patterns &>> SIMD8(repeating: droppedBits)
        let entries = SIMD8<Int32>(truncatingIfNeeded: bits) &- SIMD8(repeating: entryBeforeOne)
        // 0 for negative numbers.
        return entries & ~(entries &>> SIMD8(repeating: 31))
    }
}
