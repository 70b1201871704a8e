import Text

extension CSVBlockReader {
    /// The time of a row in a notation that `InstantReader` does not read, or in spreadsheet days.
    func uncommonTime(_ bytes: Span<UInt8>, _ state: inout CSVBlockState, cells: Int) -> Instant? {
        switch plan.time {
        case .none: return nil
        case .serialDays(let column, let time):
            guard column < cells, let days = FixedDecimal(bytes, state.cell(column), comma: plan.header.comma)?.double,
                (0..<200_000).contains(days)
            else { return nil }
            var fraction = 0.0
            if let time, time < cells {
                guard let found = FixedDecimal(bytes, state.cell(time), comma: plan.header.comma)?.double,
                    (0...1).contains(found)
                else { return nil }
                fraction = found
            }
            return serial(days + fraction, &state)
        case .instant(let column, _):
            return spelled(bytes, &state, date: nil, time: nil, whole: column, isUTC: false, cells: cells)
        case .pair(let date, let time):
            return spelled(bytes, &state, date: date, time: time, whole: nil, isUTC: false, cells: cells)
        case .spelled(let date, let time, let whole, let isUTC):
            return spelled(bytes, &state, date: date, time: time, whole: whole, isUTC: isUTC, cells: cells)
        }
    }

    /// Converts days since 1899-12-30 in local time, as spreadsheets count them.
    private func serial(_ days: Double, _ state: inout CSVBlockState) -> Instant? {
        let milliseconds = Int64((days * 86_400_000).rounded())
        let day = Int32(milliseconds / 86_400_000 - 25_569)
        return instant(CivilDay(daysSince1970: day), Int(milliseconds % 86_400_000), offset: nil, &state)
    }

    private func spelled(
        _ bytes: Span<UInt8>, _ state: inout CSVBlockState, date: Int?, time: Int?, whole: Int?, isUTC: Bool, cells: Int
    ) -> Instant? {
        var offset = isUTC ? 0 : nil as Int?
        if let column = plan.offset, column < cells { offset = utcOffset(bytes, state.cell(column)) ?? offset }
        if let whole {
            guard whole < cells else { return nil }
            let cell = state.cell(whole)
            guard let found = WrittenTime(bytes, cell), let day = found.date(plan.dateOrder) else {
                return state.times.instant(bytes, cell)
            }
            return instant(day, found.ofDay ?? 0, offset: found.offset ?? offset, &state)
        }
        guard let date, let time, date < cells, time < cells,
            let day = plan.hasCompactDates
                ? WrittenTime.compactDate(bytes, state.cell(date))
                : WrittenTime(bytes, state.cell(date))?.date(plan.dateOrder),
            let clock = WrittenTime(bytes, state.cell(time), isTime: true), let ofDay = clock.ofDay
        else { return nil }
        // The time cell may contain a date too.
        return instant(clock.date(plan.dateOrder) ?? day, ofDay, offset: clock.offset ?? offset, &state)
    }

    /// Parses `-07:00`, `+0200`, `2` or `-3.5` into minutes.
    private func utcOffset(_ bytes: Span<UInt8>, _ cell: Range<Int>) -> Int? {
        let range = ByteText.trimmed(bytes, cell)
        if let hours = FixedDecimal(bytes, range), hours.double.magnitude <= 18 {
            return Int((hours.double * 60).rounded())
        }
        var text = "00:00"
        let spelling = ByteText.string(bytes, range)
        text += spelling.first.map { $0.isNumber } ?? false ? "+" + spelling : spelling
        let whole = Array(text.utf8)
        return WrittenTime(whole.span, whole.indices, isTime: true)?.offset
    }

    private func instant(_ day: CivilDay, _ ofDay: Int, offset: Int?, _ state: inout CSVBlockState) -> Instant? {
        // Written as ISO 8601, so that one reader decides about zones and repeated hours. 25 hours is the latest time
        // of day that `WrittenTime` gives (`24:59:60`); which of these are valid the reader decides, too.
        guard (1...9999).contains(day.year), (0...90_000_000).contains(ofDay) else { return nil }
        var text: [UInt8] = []
        func put(_ value: Int, _ digits: Int, _ end: UInt8?) {
            var divisor = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                text.append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
                divisor /= 10
            }
            if let end { text.append(end) }
        }
        put(day.year, 4, UInt8(ascii: "-"))
        put(day.month, 2, UInt8(ascii: "-"))
        put(day.day, 2, UInt8(ascii: "T"))
        put(ofDay / 3_600_000, 2, UInt8(ascii: ":"))
        put(ofDay / 60_000 % 60, 2, UInt8(ascii: ":"))
        put(ofDay / 1000 % 60, 2, UInt8(ascii: "."))
        put(ofDay % 1000, 3, nil)
        if let offset {
            text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            put(abs(offset) / 60, 2, UInt8(ascii: ":"))
            put(abs(offset) % 60, 2, nil)
        }
        return state.times.instant(text.span, text.indices)
    }
}
