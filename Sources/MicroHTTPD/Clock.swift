import Glibc

enum Clock {
    /// Microseconds of the monotonic clock.
    static func microseconds() -> Int64 { read(CLOCK_MONOTONIC, unitsPerSecond: 1_000_000) }

    /// Milliseconds of the monotonic clock.
    static func milliseconds() -> Int64 { read(CLOCK_MONOTONIC, unitsPerSecond: 1_000) }

    /// Milliseconds since 1970, with the precision of the kernel's tick (1–10 ms): enough for the access log, and the
    /// cheapest clock to read.
    static func wallMilliseconds() -> Int64 { read(CLOCK_REALTIME_COARSE, unitsPerSecond: 1_000) }

    private static func read(_ clock: clockid_t, unitsPerSecond: Int64) -> Int64 {
        var time = timespec()
        let status = unsafe clock_gettime(clock, &time)
        precondition(status == 0, "Linux has this clock")
        return Int64(time.tv_sec) * unitsPerSecond + Int64(time.tv_nsec) / (1_000_000_000 / unitsPerSecond)
    }
}
