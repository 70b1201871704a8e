extension Int64 {
    /// A number above 0 as this program writes it, without sign, leading zeros or blanks; nil for other text. So what
    /// has a number has one address.
    public init?(canonical text: String) {
        guard let number = Int64(text), number > 0, "\(number)" == text else { return nil }
        self = number
    }
}
