import Text

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
    private static func appendInstant(milliseconds: Int64, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: InstantFormatter.utc(milliseconds / 1_000 * 1_000).utf8)
    }

    /// Adds a number with a decimal point before its last `places` digits.
    private static func append(_ number: Int64, places: UInt8 = 0, to bytes: inout [UInt8]) {
        FixedDecimal(mantissa: number, places: places).write(to: &bytes)
    }
}
