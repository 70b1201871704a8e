public import TileMath

/// Coordinates as ISO 6709 writes them: latitude first.
public enum ISO6709 {
    /// Parses `+48.8577+002.295+035/` and the forms with minutes (`+4851.46+00217.7/`) and seconds; what follows the
    /// longitude is ignored. nil for anything else.
    ///
    /// The number of digits before the decimal point shows whether there are minutes and seconds: `+4230+00131` is
    /// 42°30′ N.
    public static func place(_ text: String) -> GeoPoint? {
        var rest = Substring(text.prefix(100))
        guard let latitude = degrees(&rest, wholeDigits: 2), let longitude = degrees(&rest, wholeDigits: 3) else {
            return nil
        }
        return GeoPoint(longitude: longitude, latitude: latitude)
    }

    private static func degrees(_ rest: inout Substring, wholeDigits: Int) -> Double? {
        guard let sign = rest.popFirst(), sign == "+" || sign == "-" else { return nil }
        let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        rest = rest.dropFirst(number.count)
        let whole = number.prefix { $0 != "." }
        guard let value = Double(number), whole.count <= wholeDigits + 4 else { return nil }
        let degrees: Double
        switch whole.count {
        case 1...wholeDigits: degrees = value
        case wholeDigits + 2:
            let minutes = value.truncatingRemainder(dividingBy: 100)
            guard minutes < 60 else { return nil }
            degrees = (value / 100).rounded(.down) + minutes / 60
        case wholeDigits + 4:
            let seconds = value.truncatingRemainder(dividingBy: 100)
            let minutes = (value / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
            guard minutes < 60, seconds < 60 else { return nil }
            degrees = (value / 10_000).rounded(.down) + minutes / 60 + seconds / 3600
        default: return nil
        }
        return sign == "-" ? -degrees : degrees
    }
}
