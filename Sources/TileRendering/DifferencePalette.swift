import Colors
import Styling

/// The colours of a comparison with a kernel: each step of a table, with the opacities with which it fades in.
struct DifferencePalette: Sendable {
    /// The transparent colour, then for each step its faded colours and its own.
    let colors: [Color]
    /// From the least to the most visible one.
    let indicesByVisibility: [Int]
    private let table: ColorTable
    /// For each of 256 weights how far the colour is faded in: 0 is transparent.
    private let levels: [UInt8]

    /// The colours of a step.
    private static let levelCount = ColorTable.fades.count + 1
    /// The weight in the middle of a cell.
    private static let middle = 255.0 * 255.0
    /// Where one sign prevails by this share, there is a difference of at least one.
    private static let prevailing: Int64 = 2

    init(_ table: ColorTable) {
        self.table = table
        let steps = table.colors.dropFirst()
        colors = [.transparent] + steps.flatMap { ColorTable.faded($0) + [$0] }
        let ordered = table.indicesByVisibility.dropFirst()
        indicesByVisibility =
            [0]
            + (0..<Self.levelCount).flatMap { level in
                ordered.map { 1 + ($0 - 1) * Self.levelCount + level }
            }
        let bounds = ColorTable.fades.map(\.from) + [ColorTable.fadeEnd]
        levels = (0..<256).map { weight in
            let share = UInt32(weight) * ColorTable.kernelUnit / 255
            return UInt8(bounds.count { share >= $0 })
        }
    }

    /// The palette index of a pixel.
    @inline(__always)
    func index(weight: UInt32, more: Int64, less: Int64, unit: Double) -> UInt8 {
        let level = levels[Int(weight >> 8)]
        guard level > 0 else { return 0 }
        let sum = more - less
        // Towards the edge of a line, the weights of all its cells become smaller in the same way.
        var difference = (Double(sum) / unit * Self.middle / Double(weight)).rounded()
        if difference == 0, sum != 0, abs(sum) * Self.prevailing >= more + less { difference = sum < 0 ? -1 : 1 }
        let step = table.paletteIndex(of: UInt32(clamping: Int64(difference) + Int64(ColorTable.zeroDifference)))
        return (step - 1) * UInt8(Self.levelCount) + level
    }
}
