import Text
import Tracks

/// Encodes sample tracks as files, appending to a buffer so that a whole sample can be streamed.
public enum SampleText {
    /// The header line of a CSV file.
    public static let csvHeader = Array("time,longitude,latitude,elevation,track,person,activity\n".utf8)

    /// Adds a track's points as lines of CSV; times are whole seconds since 1970, elevations are in metres.
    public static func appendCSV(_ track: SampleTrack, to bytes: inout [UInt8]) {
        let ending = Array(",\(track.number),\(track.person),\(track.activity)\n".utf8)
        for index in 0..<track.count {
            append(track.times[index] / 1_000, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            append(track.longitudes[index], places: 6, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            append(track.latitudes[index], places: 6, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            append(track.elevations[index], places: 1, to: &bytes)
            bytes.append(contentsOf: ending)
        }
    }

    /// The beginning of a GPX 1.1 file.
    public static let gpxHead = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="tileserve-bench" xmlns="http://www.topografix.com/GPX/1/1">

        """.utf8)
    /// The end of a GPX file.
    public static let gpxTail = Array("</gpx>\n".utf8)

    /// Adds a track as a `trk` element.
    public static func appendGPX(_ track: SampleTrack, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "<trk><name>\(track.name)</name><type>\(track.activity)</type>\n".utf8)
        var segments = track.segmentStarts[...]
        for index in 0..<track.count {
            if segments.first == index {
                segments.removeFirst()
                bytes.append(contentsOf: Texts.segment(first: index == 0))
            }
            bytes.append(contentsOf: Texts.latitude)
            append(track.latitudes[index], places: 6, to: &bytes)
            bytes.append(contentsOf: Texts.longitude)
            append(track.longitudes[index], places: 6, to: &bytes)
            bytes.append(contentsOf: Texts.elevation)
            append(track.elevations[index], places: 1, to: &bytes)
            bytes.append(contentsOf: Texts.time)
            appendInstant(milliseconds: track.times[index], to: &bytes)
            bytes.append(contentsOf: Texts.pointEnd)
        }
        if track.count > 0 { bytes.append(contentsOf: Texts.segmentEnd) }
        bytes.append(contentsOf: "</trk>\n".utf8)
    }

    /// A complete GPX file of one track.
    public static func gpx(_ track: SampleTrack) -> [UInt8] {
        var bytes = gpxHead
        bytes.reserveCapacity(track.count * 110 + 300)
        appendGPX(track, to: &bytes)
        bytes.append(contentsOf: gpxTail)
        return bytes
    }

    private enum Texts {
        static let segmentStart = Array("<trkseg>\n".utf8)
        static let segmentEnd = Array("</trkseg>\n".utf8)
        static let latitude = Array("<trkpt lat=\"".utf8)
        static let longitude = Array("\" lon=\"".utf8)
        static let elevation = Array("\"><ele>".utf8)
        static let time = Array("</ele><time>".utf8)
        static let pointEnd = Array("</time></trkpt>\n".utf8)

        static func segment(first: Bool) -> [UInt8] {
            first ? segmentStart : segmentEnd + segmentStart
        }
    }

    /// Adds an instant in the form `2019-03-17T08:15:30Z`.
    static func appendInstant(milliseconds: Int64, to bytes: inout [UInt8]) {
        appendDay(milliseconds: milliseconds, to: &bytes)
        let seconds = Int(milliseconds / 1_000 - dayNumber(milliseconds) * 86_400)
        bytes.append(UInt8(ascii: "T"))
        appendTwoDigits(seconds / 3_600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwoDigits(seconds / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwoDigits(seconds % 60, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Adds a day in the form `2019-03-17`. Source: Howard Hinnant, `civil_from_days`.
    static func appendDay(milliseconds: Int64, to bytes: inout [UInt8]) {
        let shifted = Int(dayNumber(milliseconds)) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        append(Int64(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendTwoDigits(month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendTwoDigits(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, to: &bytes)
    }

    private static func dayNumber(_ milliseconds: Int64) -> Int64 {
        (milliseconds - (milliseconds < 0 ? 86_399_999 : 0)) / 86_400_000
    }

    private static func appendTwoDigits(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Adds an integer with a decimal point before its last `places` digits.
    static func append(_ number: Int64, places: Int = 0, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = places + 1
        var limit = UInt64(FixedDecimal.integerPower(UInt8(digits)))
        while rest >= limit, digits < 18 {
            digits += 1
            limit *= 10
        }
        let start = bytes.count
        for _ in 0..<digits { bytes.append(UInt8(ascii: ".")) }
        if places > 0 { bytes.append(UInt8(ascii: ".")) }
        var index = bytes.count - 1
        var written = 0
        while index >= start {
            if written == places, places > 0 { index -= 1 }
            bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            written += 1
            index -= 1
        }
    }
}
