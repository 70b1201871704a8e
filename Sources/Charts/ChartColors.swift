import Cairo
import Styling

/// A colour; channels 0…1.
struct ChartColor {
    var red: Double
    var green: Double
    var blue: Double

    init(_ hex: UInt32) {
        red = Double(hex >> 16 & 0xFF) / 255
        green = Double(hex >> 8 & 0xFF) / 255
        blue = Double(hex & 0xFF) / 255
    }
}

/// The colours of a chart.
struct ChartColors {
    let background: ChartColor
    let title: ChartColor
    let text: ChartColor
    let grid: ChartColor
    let axis: ChartColor
    let bar: ChartColor
    let greatestBar: ChartColor

    init(_ theme: Theme) {
        switch theme {
        case .light:
            background = ChartColor(0xFCFCFA)
            title = ChartColor(0x22252B)
            text = ChartColor(0x62656D)
            grid = ChartColor(0xE6E6E1)
            axis = ChartColor(0xB9BAB8)
            bar = ChartColor(0x3E7CB1)
            greatestBar = ChartColor(0xC2410C)
        case .dark:
            background = ChartColor(0x14161B)
            title = ChartColor(0xF0F0EE)
            text = ChartColor(0xA6A9B0)
            grid = ChartColor(0x2A2D35)
            axis = ChartColor(0x555963)
            bar = ChartColor(0x6FB1E0)
            greatestBar = ChartColor(0xF59A5B)
        }
    }
}

extension Context {
    /// Sets the source to a colour.
    func set(_ color: ChartColor) {
        setSource(red: color.red, green: color.green, blue: color.blue)
    }
}
