import Tracks

/// The names of fields in files, encoded so that an import gives the same names.
enum FieldNameEncoding {
    /// The namespace of elements for fields that a format does not define.
    static let namespace = "urn:tileserve:fields:1"
    /// The prefix of these elements.
    static let prefix = "ts:"

    /// The name of an element in our namespace.
    static func element(_ name: String) -> String {
        prefix + ElementName.encoded(name, escapesFirst: isReserved(name))
    }

    /// The name of a column, property or attribute, which may contain nearly all characters.
    static func label(_ name: String) -> String {
        isReserved(name) || !isPlain(name) ? ElementName.encoded(name, escapesFirst: isReserved(name)) : name
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace else {
            return false
        }
        let isPrintable = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.isASCII && (0x20...0x7E).contains(scalar.value)
        }
        return isPrintable && !name.contains("_x") && !name.contains(" in ")
            && !name.contains { "\"([{#,;|".contains($0) }
    }

    /// Whether importers would interpret the name as something else.
    private static func isReserved(_ name: String) -> Bool {
        guard !own.contains(name) else { return false }
        let bare = name.prefix { $0 != "(" && $0 != "[" }
        let word = (bare.isEmpty ? name[...] : bare).lowercased().filter { $0.isLetter || $0.isNumber }
        return reserved.contains(word) || reserved.contains(name.lowercased()) || hasUnitSuffix(word)
            || containsTimeWord(word)
            || hemispheres.contains(word) || lastPartIsReserved(word, name)
    }

    /// Whether importers of tables would convert the values: `alt_ft`, `speedKmh`.
    private static func hasUnitSuffix(_ word: String) -> Bool {
        units.contains { word.hasSuffix($0) && reserved.contains(String(word.dropLast($0.count))) }
    }

    private static func containsTimeWord(_ word: String) -> Bool { timeHints.contains { word.contains($0) } }

    /// Whether the part after the last point or colon is a word that importers interpret.
    private static func lastPartIsReserved(_ word: String, _ name: String) -> Bool {
        guard let separator = name.lastIndex(where: { $0 == "." || $0 == ":" }) else { return false }
        return reserved.contains(
            name[name.index(after: separator)...].lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let units = [
        "meters", "metres", "feet", "ft", "miles", "km", "mph", "kmh", "kph", "kmph", "knots", "kts", "kt", "kn", "fps",
        "mps",
        "fahrenheit", "celsius", "degc", "degf", "degrees", "deg", "bpm", "rpm", "watts", "percent", "mi", "f", "c",
        "m", "ms",
    ]

    private static let timeHints = [
        "time", "date", "zeit", "datum", "stamp", "epoch", "fecha", "hora", "heure", "tijd", "utc", "gmt", "elapsed",
    ]

    /// Names of columns for the hemisphere.
    private static let hemispheres: Set<String> = {
        let axes = [
            "lat", "latitude", "gpslat", "gpslatitude", "lon", "lng", "long", "longitude", "gpslon", "gpslng",
            "gpslong", "gpslongitude",
        ]
        let ends = [
            "dir", "direction", "hem", "hemi", "hemisphere", "ref", "cardinal", "indicator", "sign", "ns", "ew",
        ]
        let alone =
            "ns nsindicator northsouth nshemisphere nors ew ewindicator eastwest ewhemisphere eorw we dir hem ref"
        return Set(axes.flatMap { axis in ends.map { axis + $0 } } + alone.split(separator: " ").map(String.init))
    }()

    /// Names that importers interpret as the same field.
    private static let own: Set<String> = [
        FieldName.elevation, FieldName.speed, FieldName.course, FieldName.heading, FieldName.horizontalAccuracy,
        FieldName.verticalAccuracy, FieldName.heartRate, FieldName.cadence, FieldName.power, FieldName.temperature,
        FieldName.distance, FieldName.hdop, FieldName.vdop, FieldName.pdop, FieldName.satellites, FieldName.fix,
        FieldName.battery, FieldName.pointName, FieldName.waypoint, FieldName.address, FieldName.repeats,
        FieldName.pointID, FieldName.headingChanges,
    ]

    /// Words that importers interpret, in lower case, without spaces and punctuation.
    private static let reserved: Set<String> = {
        let words = """
            lat latitude latdeg latitudedeg latitud breite breitengrad geobreite y gpslat gpslatitude locationlat ycoord \
            lon lng long longitude londeg longitudedeg longitud länge laenge längengrad laengengrad x gpslon gpslng \
            gpslong gpslongitude locationlon locationlong locationlng geolänge geolaenge xcoord latitudedegrees \
            longitudedegrees date datum gpsdate utcdate dateutc localdate time zeit uhrzeit timeofday utctime timeutc \
            localtime gpstime timestamp datetime trackedat utc utcdatetime datetimeutc timestamputc t ts recordedat \
            createdat isotime eventtime when zeitstempel zeitpunkt fixtime devicetime epoch epochs epochseconds unixtime \
            unix unixtimestamp timestamps timestampsec timestampseconds timestampms timems epochms unixms timestampmillis \
            epochmillis timemillis millis datetimems timestampus timeus epochus timestampmicros timestampns timens epochns \
            timestampnanos times coordtimes coordinatetimes datetimes person user userid username benutzer benutzerid \
            athlete athleteid rider riderid owner individual individualid individuallocalidentifier vehicle vehicleid \
            personid personname device deviceid devicename gerät geraet tracker trackerid imei track trackid trip tripid \
            session sessionid trajectory trajectoryid trajid recording recordingid tour tourid fahrt fahrtid ride rideid \
            activityid trackno tracknumber activity activitytype sport mode transportmode transportationmode type \
            aktivität verkehrsmittel segment segmentid seg trkseg segmentno name trackname title bezeichnung ele \
            elevation elev alt altitude höhe hoehe z altitudem elevationm elem altm altitudemeters speed velocity \
            geschwindigkeit speedms speedmps course bearing cog richtung kurs coursedeg heading accuracy hacc \
            horizontalaccuracy genauigkeit accuracym accuracyhorizontal accuracyvertical vacc verticalaccuracy hr heart \
            heartrate heartrates hrs puls pulse heartratebpm cad cads cadence cadences trittfrequenz runcadence power \
            powers powerinwatts watts leistung temp temps temperature temperatures temperatur atemp atemps distance \
            distancemeters hdop vdop pdop sat sats satellites numsat battery batterylevel lap trackpoint value id notes \
            creator column speeds courses bearings elevations altitudes eles accuracies m coordinateproperties doubled \
            segmentstarts temporalproperties positionlat positionlong positionlon latitudee7 late7 latitudee6 late6 \
            longitudee7 lone7 lnge7 longitudee6 lone6 lnge6 latitudesemicircles longitudesemicircles latwgs84 lonwgs84 tst \
            utcd utct locald localt fecha hhmmss clock yyyymmdd ddmmyy ddmmyyyy observedat measuredat receivedat mmsi \
            icao24 gpsspeed groundspeed direction sog speedoverground altmsl altgps gndspd seconds secs utcofst utcoffset gmtoffset \
            tzoffset timezoneoffset gmtofst headings compass address adresse anschrift repeats instancecount mark batt \
            headingchanges milliseconds
            """
        return Set(words.split(separator: " ").map(String.init))
    }()
}
