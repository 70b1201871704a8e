extension Int64 {
    /// The quotient by a positive divisor, rounded down: −1 for −1 divided by 10.
    @inlinable
    public func floorDivided(by divisor: Int64) -> Int64 {
        // The sign of the remainder decides, so that nothing is subtracted from Int64.min.
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
