import Testing
import Tracks

@Suite struct ActivityTests {
    @Test(arguments: [
        ("running", Activity.run), ("Laufen", .run), ("course à pied", .run), ("COURSE_A_PIED", .run),
        ("VirtualRun", .run),
        ("trailrun", .run), ("9", .run), ("бег", .run), ("cycling", .ride), ("E-Bike Ride", .ride),
        ("MountainBikeRide", .ride),
        ("EMountainBikeRide", .ride), ("Vélo", .ride), ("ve\u{301}lo", .ride), ("on_bicycle", .ride), ("1", .ride),
        ("e_biking", .ride),
        ("walking", .walk), ("à pied", .walk), ("ON_FOOT", .walk), ("dog-walking", .walk), ("hiking", .hike),
        ("Randonnée", .hike), ("RockClimbing", .hike), ("Wędrówka", .hike), ("alpine_skiing", .ski),
        ("cross_country_skiing", .ski), ("NordicSki", .ski), ("Skitour", .ski), ("snowboarding", .ski),
        ("open_water_swimming", .swim), ("natación", .swim), ("IN_PASSENGER_VEHICLE", .drive), ("IN_BUS", .drive),
        ("motorcycling", .drive), ("car", .drive), ("IN_TRAIN", .train), ("IN_RAIL_VEHICLE", .train),
        ("Subway", .train),
        ("train ride", .train), ("FLYING", .flight), ("gliding", .flight), ("hang_gliding", .flight),
        ("sky_diving", .flight),
        ("sailing", .boat), ("IN_FERRY", .boat), ("StandUpPaddling", .boat), ("water_skiing", .boat), ("kanu", .boat),
        ("golf", .other), ("horse riding", .other), ("ice_skating", .other), ("WeightTraining", .other),
        ("Heimlichtun", .other), ("sport 99", .other), ("commute ride", .ride), ("training run", .run),
    ]) func `words of formats, apps and languages have their activity`(word: String, activity: Activity) {
        #expect(Activity(word: word) == activity)
        #expect(Activity(word: word.lowercased()) == activity)
        #expect(Activity(word: word.uppercased()) == activity)
    }

    @Test(arguments: [
        ("Hardloopsessie", Activity.run), ("Fietsrit", .ride), ("Virtuele fietsrit", .ride), ("E-fietsrit", .ride),
        ("Wandeling", .walk), ("Hiken", .hike), ("Zwemmen", .swim), ("Kayakken", .boat), ("Krachttraining", .other),
        ("Jazda", .ride), ("Jazda na rowerze", .ride), ("Spacer", .walk), ("Bieg terenowy", .run), ("Wędrówka", .hike),
        ("Jazda wirtualna", .ride), ("Jazda na łyżwach", .other), ("Jazda samochodem", .drive),
        ("Narciarstwo biegowe", .ski), ("Trailløb", .run), ("Virtuel cykling", .ride), ("Terrengløp", .run),
        ("Sykkeltur", .ride), ("Lari", .run), ("Lari dalam ruangan", .run), ("Беговая дорожка", .run),
        ("Горные лыжи", .ski), ("骑行", .ride), ("虚拟骑行", .ride), ("越野跑", .run), ("单板滑雪", .ski), ("皮划艇", .boat),
        ("攀岩", .hike), ("风帆冲浪", .boat),
        ("ランニング", .run), ("トレイルランニング", .run), ("バーチャルラン", .run), ("ライド", .ride),
        ("グラベルライド", .ride), ("マウンテンバイクライド", .ride), ("ウォーキング", .walk), ("ハイキング", .hike), ("車いす", .other),
        ("트레일런", .run), ("산악자전거", .ride), ("電動自転車", .ride), ("三輪車", .other),
    ]) func `the translated words of Strava have their activity`(word: String, activity: Activity) {
        #expect(Activity(word: word) == activity)
    }

    @Test(arguments: ["", " ", "unknown", "UNKNOWN_ACTIVITY_TYPE", "still", "None", "--"])
    func `a word for an unknown activity has none`(word: String) {
        #expect(Activity(word: word) == nil && Activity(knownWord: word) == nil)
        #expect(ActivityFilter(word) == ActivityFilter(ActivityFilter.none))
    }

    @Test func `each activity is its own word and has its own number`() {
        for activity in Activity.allCases {
            #expect(Activity(word: activity.rawValue) == activity)
            #expect(Activity(number: activity.number) == activity)
            #expect(ActivityFilter(activity.rawValue).admits(activity.rawValue))
        }
        #expect(Set(Activity.allCases.map(\.number)) == Set(1...UInt8(Activity.allCases.count)))
        #expect(Activity(number: 0) == nil && Activity(number: 255) == nil)
        #expect(Activity(knownWord: "Heimlichtun") == nil)
    }

    @Test func `a filter takes either word`() {
        for word in ["run", "Running", "laufen"] {
            #expect(ActivityFilter(word).admits("running") && ActivityFilter(word).admits("run"))
            #expect(!ActivityFilter(word).admits("ride") && !ActivityFilter(word).admits(nil))
        }
        #expect(ActivityFilter("golf").admits("golf") && !ActivityFilter("golf").admits("tennis"))
        #expect(ActivityFilter("other").admits("golf") && ActivityFilter("Race").admits("race"))
        #expect(ActivityFilter("none").admits(nil) && ActivityFilter("none").admits("unknown"))
        #expect(!ActivityFilter("none").admits("golf"))
    }

    @Test func `every word answers within the cache's limit and beyond`() {
        for number in 0..<3000 { #expect(Activity(word: "running \(number)") == .run) }
        #expect(Activity(word: "running 0") == .run)
    }
}
