import Styling

/// A colour of a poster; channels 0…1.
struct PosterColor {
    var red: Double
    var green: Double
    var blue: Double
}

extension Theme {
    /// The colour of paper and map.
    var background: PosterColor {
        switch self {
        case .light: PosterColor(red: 0.969, green: 0.965, blue: 0.949)
        case .dark: PosterColor(red: 0.071, green: 0.078, blue: 0.094)
        }
    }

    /// The colour of the title.
    var title: PosterColor {
        switch self {
        case .light: PosterColor(red: 0.13, green: 0.13, blue: 0.14)
        case .dark: PosterColor(red: 0.95, green: 0.95, blue: 0.94)
        }
    }

    /// The colour of figures and scale.
    var text: PosterColor {
        switch self {
        case .light: PosterColor(red: 0.38, green: 0.38, blue: 0.4)
        case .dark: PosterColor(red: 0.66, green: 0.67, blue: 0.69)
        }
    }

    /// The colour of the lines of the graticule and of the frame.
    var lines: PosterColor {
        switch self {
        case .light: PosterColor(red: 0.86, green: 0.86, blue: 0.84)
        case .dark: PosterColor(red: 0.17, green: 0.18, blue: 0.2)
        }
    }
}
