import Text
import Tracks

/// The role of a CSV column.
enum CSVRole: Hashable, Sendable {
    case longitude, latitude
    /// A time, with the unit of bare numbers if the name states it; `CSVPlan` decides which columns are used as times.
    case instant(EpochUnit?)
    case person, device, track, activity, segment, trackName
    /// A field of the points; values of a text field are never parsed as numbers.
    case field(String, isText: Bool)
}

extension CSVRole {
    /// The roles of columns with these names, which are normalised.
    static let aliases: [String: CSVRole] = {
        var table: [String: CSVRole] = [:]
        func name(_ role: CSVRole, _ words: String) {
            for word in words.split(separator: " ") { table[String(word)] = role }
        }
        name(
            .latitude,
            latitudeWords + " y ycoord positionlat latitudesemicircles latitudee7 late7 latitudee6 late6 latitudens")
        name(
            .longitude,
            longitudeWords + " x xcoord positionlong positionlon longitudesemicircles longitudee7 lone7 longitudeew")
        name(.longitude, "lnge7 longitudee6 lone6 lnge6")
        name(
            .instant(nil), "timestamp datetime trackedat utc utcdatetime datetimeutc timestamputc t ts basedatetime tst"
        )
        name(
            .instant(nil),
            "recordedat createdat isotime eventtime when zeitstempel zeitpunkt fixtime devicetime gpstimestamp gpsdatetime"
        )
        name(
            .instant(nil),
            "startdatetime begintime starttimeutc starttimelocal datetimelocal localdatetime dateandtime datetimestamp")
        name(
            .instant(nil),
            "observedat measuredat receivedat positiontime msgtime eventdate fechahora datumzeit datetimegmt")
        // Devices write these in seconds (Unix) as well as in milliseconds (Android).
        name(.instant(nil), "timestampepoch epochtimestamp epochtime timeepoch")
        name(
            .instant(.seconds),
            "epoch epochs epochseconds unixtime unix unixtimestamp timestamps timestampsec timestampseconds timestampunix"
        )
        name(
            .instant(.milliseconds),
            "timestampms timems epochms unixms timestampmillis epochmillis timemillis millis datetimems milliseconds")
        name(.instant(.microseconds), "timestampus timeus epochus timestampmicros")
        name(.instant(.nanoseconds), "timestampns timens epochns timestampnanos")
        name(
            .person, "person user userid username benutzer benutzerid athlete athleteid rider riderid owner individual")
        name(.person, "individualid individuallocalidentifier vehicle vehicleid personid personname")
        name(.device, "device deviceid devicename gerät geraet tracker trackerid imei")
        name(.track, "track trackid trip tripid session sessionid trajectory trajectoryid trajid recording recordingid")
        name(.track, "tour tourid fahrt fahrtid ride rideid activityid trackno tracknumber mmsi icao24")
        name(
            .activity, "activity activitytype sport mode transportmode transportationmode type aktivität verkehrsmittel"
        )
        name(.segment, "segment segmentid seg trkseg segmentno")
        name(.trackName, "name trackname title bezeichnung")
        for (word, field) in FieldVocabulary.names { table[word] = .field(field, isText: field == FieldName.address) }
        return table
    }()

    private static let latitudeWords =
        "lat latitude latdeg latitudedeg latitud breite breitengrad geobreite gpslat gpslatitude locationlat latwgs84"
    private static let longitudeWords =
        "lon lng long longitude londeg longitudedeg longitud länge laenge längengrad laengengrad gpslon gpslng gpslong "
        + "gpslongitude locationlon locationlong locationlng geolänge geolaenge lonwgs84"
}
