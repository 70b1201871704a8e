public import Colors
internal import Digest
public import Styling
internal import Text

/// The colours of floors for one theme.
public struct FloorStyle: Sendable, Hashable {
    /// What has a colour of its own.
    public enum Role: String, Sendable, CaseIterable {
        /// The level where no unit is.
        case floor
        case room
        /// Where people walk without a door: corridors, halls, platforms.
        case corridor
        /// Stairs, lifts, escalators.
        case connector
        case restroom
        /// Not for everybody.
        case restricted
        case outdoor
        /// Columns and other things that nobody walks through.
        case solid
        /// Where a floor below is seen.
        case void
        /// Kiosks and furniture.
        case fixture
        case wall
        case opening
        /// The outline of the building.
        case outline
        case label
        /// Around letters and symbols.
        case halo
        case symbol
        case route
        /// Around the line of a route.
        case casing
        case start
        case end
    }

    public let theme: Theme
    /// In the order of `Role.allCases`.
    private let colors: [Color]

    /// The colour of a role.
    public subscript(role: Role) -> Color { colors[Self.positions[role] ?? 0] }

    private static let positions = Dictionary(
        uniqueKeysWithValues: Role.allCases.enumerated().map { ($1, $0) })

    /// The built-in colours.
    public static func builtIn(_ theme: Theme) -> FloorStyle { theme == .dark ? dark : light }

    private static let light = embedded(.light)
    private static let dark = embedded(.dark)

    private static func embedded(_ theme: Theme) -> FloorStyle {
        guard let style = FloorStyle(theme, json: FloorStyleFile.builtIn) else {
            preconditionFailure("Styles/floors/floors.json lacks a colour of \(theme)")
        }
        return style
    }

    /// The colours of a theme in a JSON text: an object for each theme, which has a colour (`#rrggbb` or `#rrggbbaa`) for
    /// each role. nil if one is missing or is no colour.
    public init?(_ theme: Theme, json: [UInt8]) {
        guard let value = try? JSONReader.value(json), let object = value[theme.rawValue] else { return nil }
        var colors: [Color] = []
        for role in Role.allCases {
            guard let color = object[role.rawValue]?.text.flatMap({ Color($0) }) else { return nil }
            colors.append(color)
        }
        self.theme = theme
        self.colors = colors
    }

    func add(to digester: inout Digester) {
        digester.update(theme.rawValue)
        for color in colors { digester.update(color.description) }
    }
}
