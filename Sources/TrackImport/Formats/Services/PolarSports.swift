/// The sports of Polar Flow by their numbers.
enum PolarSports {
    /// As the page of sport profiles lists them (flow.polar.com/settings/sports).
    static let names: [String: String] = [
        "1": "running", "2": "cycling", "3": "walking", "4": "jogging", "5": "mountain biking", "6": "skiing",
        "7": "downhill skiing", "8": "rowing", "9": "nordic walking", "10": "skating", "11": "hiking", "12": "tennis",
        "13": "squash", "14": "badminton", "15": "strength training", "16": "other outdoor", "17": "treadmill running",
        "18": "indoor cycling", "19": "road running", "20": "circuit training", "22": "snowboarding",
        "23": "swimming", "24": "freestyle xc skiing", "25": "classic xc skiing", "27": "trail running",
        "28": "ice skating", "29": "inline skating", "30": "roller skating", "32": "group exercise", "33": "yoga",
        "34": "crossfit", "35": "golf", "36": "track & field running", "38": "road cycling", "39": "soccer",
        "40": "cricket", "41": "basketball", "42": "baseball", "43": "rugby", "44": "field hockey",
        "45": "volleyball", "46": "ice hockey", "47": "football", "48": "handball", "49": "beach volley",
        "50": "futsal", "51": "floorball", "52": "dancing", "53": "trotting", "54": "horse riding",
        "55": "cross-trainer", "56": "fitness martial arts", "57": "functional training", "58": "bootcamp",
        "59": "freestyle roller skiing", "60": "classic roller skiing", "61": "aerobics", "62": "aqua fitness",
        "63": "step workout", "64": "body & mind", "65": "pilates", "66": "stretching", "67": "fitness dancing",
        "68": "triathlon", "69": "duathlon", "70": "off-road triathlon", "71": "off-road duathlon",
        "83": "other indoor", "84": "orienteering", "85": "ski orienteering", "86": "mountain bike orienteering",
        "87": "biathlon", "88": "sailing", "89": "wheelchair racing", "90": "disc golf", "91": "table tennis",
        "92": "ultra running", "94": "indoor climbing", "95": "kayaking", "96": "canoeing", "100": "kitesurfing",
        "101": "windsurfing", "102": "surfing", "103": "pool swimming", "104": "finnish baseball",
        "105": "open water swimming", "107": "wakeboarding", "108": "water skiing", "109": "boxing",
        "110": "kickboxing", "112": "telemark skiing", "113": "backcountry skiing", "114": "gymnastics",
        "115": "judo", "116": "snowshoe trekking", "117": "indoor rowing", "118": "spinning",
    ]
}
