import Text
import Tracks

/// Name and scale of a FIT field (from Garmin's FIT profile).
struct FITMeaning {
    let name: String
    /// value = (raw × `factor` + `offset`) / 10^`places`; divisors become exact decimals.
    var factor: Int64 = 1
    var offset: Int64 = 0
    var places: UInt8 = 0
    /// Whether the field has one value by the profile; some devices write it as an array nevertheless.
    private(set) var isScalar = false

    /// Converts a raw value into the field's unit; nil if it does not fit.
    @inline(__always)
    func decimal(_ raw: Int64) -> FixedDecimal? {
        let (product, isTooLarge) = raw.multipliedReportingOverflow(by: factor)
        let (sum, isShiftedTooFar) = product.addingReportingOverflow(offset)
        guard !isTooLarge, !isShiftedTooFar, sum != FieldColumn.absent else { return nil }
        return FixedDecimal(mantissa: sum, places: places)
    }

    private init(_ name: String) {
        self.name = name
    }

    /// `divisor` must have no prime factors other than 2 and 5.
    private init(_ name: String, divisor: Int64, offset: Int64 = 0) {
        self.name = name
        var power: Int64 = 1
        while power % divisor != 0 {
            power *= 10
            places += 1
        }
        factor = power / divisor
        self.offset = -offset * power
    }

    /// A field of the `record` message; unknown fields are named by their number.
    static func recordField(_ number: UInt8) -> FITMeaning {
        guard var meaning = record[number] else { return FITMeaning("field_\(number)") }
        meaning.isScalar = number != speedOfOneSecond
        return meaning
    }

    /// The one known field of records that is an array by the profile.
    private static let speedOfOneSecond: UInt8 = 17

    /// A developer field, named by its description.
    static func developerField(_ name: String) -> FITMeaning {
        FITMeaning(name)
    }

    private static let record: [UInt8: FITMeaning] = [
        2: FITMeaning(FieldName.elevation, divisor: 5, offset: 500), 3: FITMeaning(FieldName.heartRate),
        4: FITMeaning(FieldName.cadence), 5: FITMeaning(FieldName.distance, divisor: 100),
        6: FITMeaning(FieldName.speed, divisor: 1000), 7: FITMeaning(FieldName.power),
        9: FITMeaning("grade", divisor: 100), 10: FITMeaning("resistance"),
        11: FITMeaning("time_from_course", divisor: 1000), 12: FITMeaning("cycle_length", divisor: 100),
        13: FITMeaning(FieldName.temperature), speedOfOneSecond: FITMeaning("speed_1s", divisor: 16),
        18: FITMeaning("cycles"),
        19: FITMeaning("total_cycles"), 28: FITMeaning("compressed_accumulated_power"),
        29: FITMeaning("accumulated_power"), 30: FITMeaning("left_right_balance"),
        31: FITMeaning(FieldName.horizontalAccuracy), 32: FITMeaning("vertical_speed", divisor: 1000),
        33: FITMeaning("calories"), 39: FITMeaning("vertical_oscillation", divisor: 10),
        40: FITMeaning("stance_time_percent", divisor: 100), 41: FITMeaning("stance_time", divisor: 10),
        42: FITMeaning("activity_type"), 43: FITMeaning("left_torque_effectiveness", divisor: 2),
        44: FITMeaning("right_torque_effectiveness", divisor: 2), 45: FITMeaning("left_pedal_smoothness", divisor: 2),
        46: FITMeaning("right_pedal_smoothness", divisor: 2), 47: FITMeaning("combined_pedal_smoothness", divisor: 2),
        48: FITMeaning("time128", divisor: 128), 49: FITMeaning("stroke_type"), 50: FITMeaning("zone"),
        51: FITMeaning("ball_speed", divisor: 100), 52: FITMeaning("cadence256", divisor: 256),
        53: FITMeaning("fractional_cadence", divisor: 128), 54: FITMeaning("total_hemoglobin_conc", divisor: 100),
        55: FITMeaning("total_hemoglobin_conc_min", divisor: 100),
        56: FITMeaning("total_hemoglobin_conc_max", divisor: 100),
        57: FITMeaning("saturated_hemoglobin_percent", divisor: 10),
        58: FITMeaning("saturated_hemoglobin_percent_min", divisor: 10),
        59: FITMeaning("saturated_hemoglobin_percent_max", divisor: 10), 62: FITMeaning("device_index"),
        67: FITMeaning("left_pco"), 68: FITMeaning("right_pco"), 73: FITMeaning(FieldName.speed, divisor: 1000),
        78: FITMeaning(FieldName.elevation, divisor: 5, offset: 500), 81: FITMeaning("battery_soc", divisor: 2),
        82: FITMeaning("motor_power"), 83: FITMeaning("vertical_ratio", divisor: 100),
        84: FITMeaning("stance_time_balance", divisor: 100), 85: FITMeaning("step_length", divisor: 10),
        87: FITMeaning("cycle_length16", divisor: 100), 91: FITMeaning("absolute_pressure"),
        92: FITMeaning("depth", divisor: 1000), 93: FITMeaning("next_stop_depth", divisor: 1000),
        94: FITMeaning("next_stop_time"), 95: FITMeaning("time_to_surface"), 96: FITMeaning("ndl_time"),
        97: FITMeaning("cns_load"), 98: FITMeaning("n2_load"), 99: FITMeaning("respiration_rate"),
        108: FITMeaning("enhanced_respiration_rate", divisor: 100), 114: FITMeaning("grit"), 115: FITMeaning("flow"),
        116: FITMeaning("current_stress", divisor: 100), 117: FITMeaning("ebike_travel_range"),
        118: FITMeaning("ebike_battery_level"), 119: FITMeaning("ebike_assist_mode"),
        120: FITMeaning("ebike_assist_level_percent"), 123: FITMeaning("air_time_remaining"),
        124: FITMeaning("pressure_sac", divisor: 100), 125: FITMeaning("volume_sac", divisor: 100),
        126: FITMeaning("rmv", divisor: 100), 127: FITMeaning("ascent_rate", divisor: 1000),
        129: FITMeaning("po2", divisor: 100), 139: FITMeaning("core_temperature", divisor: 100),
    ]
}

/// The FIT messages that are read, by global message number.
enum FITMessage: UInt16 {
    case fileIdentity = 0
    case sport = 12
    case session = 18
    case record = 20
    case event = 21
    case deviceDescription = 23
    case course = 31
    case coursePoint = 32
    case fieldDescription = 206
}

/// FIT names of sports.
enum FITSport {
    static func name(_ number: Int64) -> String {
        number >= 0 && number < names.count ? names[Int(number)] : later[number] ?? "sport \(number)"
    }

    private static let names = [
        "generic", "running", "cycling", "transition", "fitness_equipment", "swimming", "basketball", "soccer",
        "tennis", "american_football", "training", "walking", "cross_country_skiing", "alpine_skiing", "snowboarding",
        "rowing", "mountaineering", "hiking", "multisport", "paddling", "flying", "e_biking", "motorcycling",
        "boating", "driving", "golf", "hang_gliding", "horseback_riding", "hunting", "fishing", "inline_skating",
        "rock_climbing", "sailing", "ice_skating", "sky_diving", "snowshoeing", "snowmobiling",
        "stand_up_paddleboarding", "surfing", "wakeboarding", "water_skiing", "kayaking", "rafting", "windsurfing",
        "kitesurfing", "tactical", "jumpmaster", "boxing", "floor_climbing", "baseball",
    ]

    private static let later: [Int64: String] = [
        53: "diving", 62: "hiit", 64: "racket", 65: "wheelchair_push_walk", 66: "wheelchair_push_run",
        67: "meditation", 69: "disc_golf", 71: "cricket", 72: "rugby", 73: "hockey", 74: "lacrosse",
        75: "volleyball", 76: "water_tubing", 77: "wakesurfing", 80: "mixed_martial_arts", 82: "snorkeling",
        83: "dance", 84: "jump_rope",
    ]
}
