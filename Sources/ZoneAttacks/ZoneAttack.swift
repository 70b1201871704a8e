/// A way to find a hidden place from published tracks.
///
/// Sources: [H18] Hassan, Hussain and Bates, "Analysis of Privacy Protections in Fitness Tracking Social Networks", USENIX
/// Security 2018. [D22] Dhondt, Le Pochat, Voulimeneas, Joosen and Volckaert, "A Run a Day Won't Keep the Hacker Away", CCS
/// 2022. [K07] Krumm, "Inference Attacks on Location Tracks", Pervasive 2007. The attacks follow the ideas of these papers, not
/// their code; those without a source are our own.
public enum ZoneAttack: String, Sendable, CaseIterable {
    /// The centre of the circle on which the lines end and in which there are none [H18].
    case circleFit
    /// The place whose ways to the ends are as long as a track's published length exceeds its visible line [D22].
    case residualDistance
    /// The place from which most ends are equally far along the streets: against trimmed beginnings and ends of tracks.
    case equalTrim
    /// The place where the last metres of the lines, extended, cross each other.
    case streetDirection
    /// The geometric median of the places where lines end, each weighted by its days: where heat ends; after [K07].
    case heatTermini
    /// The mean of the ends.
    case meanOfEnds
    /// The place that departures and arrivals of single days lead to, because a window of one day turns heat into tracks; after [K07].
    case oneDay
    /// The place whose shortest ways leave the zone where the tracks do. It needs no street map; one makes it stronger.
    case exitChoice
    /// The middle of what the zones of several editions allow: their common part if each centre is drawn anew.
    case comparison
    /// The most likely place within the offset that the software draws, by the centre, the streets and the exits together.
    case combined
}
