import Colors
import Styling

/// The colours of a chart.
struct ChartColors {
    let background: Color
    let title: Color
    let text: Color
    let grid: Color
    let axis: Color
    let bar: Color
    let greatestBar: Color

    init(_ theme: Theme) {
        switch theme {
        case .light:
            background = Color(rgb: 0xFCFCFA)
            title = Color(rgb: 0x22252B)
            text = Color(rgb: 0x62656D)
            grid = Color(rgb: 0xE6E6E1)
            axis = Color(rgb: 0xB9BAB8)
            bar = Color(rgb: 0x3E7CB1)
            greatestBar = Color(rgb: 0xC2410C)
        case .dark:
            background = Color(rgb: 0x14161B)
            title = Color(rgb: 0xF0F0EE)
            text = Color(rgb: 0xA6A9B0)
            grid = Color(rgb: 0x2A2D35)
            axis = Color(rgb: 0x555963)
            bar = Color(rgb: 0x6FB1E0)
            greatestBar = Color(rgb: 0xF59A5B)
        }
    }
}
