import Places

extension LedgerBuilder {
    /// A stay of at least this time is in the country of its town.
    private static let decidedMilliseconds: Int64 = 10 * 60_000

    /// Ends the stay if the next place is not within it. Returns whether it is over.
    mutating func leaveStay(to next: Place) -> Bool {
        guard !stay.continues(at: next.place, next.time) else { return false }
        endStay(isEndOfTrack: false)
        return true
    }

    /// Decides in which country the stay was that is over.
    mutating func endStay(isEndOfTrack: Bool) {
        guard let first = borderStay.first else { return }
        if borderStay.isAccurate {
            let isLong = stay.milliseconds >= Self.decidedMilliseconds
            // Tracks begin and end where somebody stays: the rest of the stay was not recorded.
            let isEnd = first == 0 || isEndOfTrack
            if isLong || isEnd, let found = map.areaOfStay(at: stay.middle), isLong || found.isMisplaced {
                borderStay.decided.append(DecidedStay(drafts: first..<drafts.count, area: found.area))
            }
        }
        borderStay.first = nil
        borderStay.isAccurate = false
    }

    /// Notes that the last point, in the last draft, belongs to the stay.
    mutating func followStay(_ accuracy: UInt32?) {
        guard isNearBorder, let draft = drafts.last, !draft.isFast, draft.day != Self.untimed else {
            borderStay.first = nil
            return
        }
        if borderStay.first == nil {
            borderStay.first = drafts.count - 1
            borderStay.isAccurate = false
        }
        if Double(accuracy ?? 0) <= AreaHysteresis.candidateMetres { borderStay.isAccurate = true }
        // The end of the stay must not be missed, and neither must the first accurate point.
        sameAreaBox = borderStay.isAccurate ? sameAreaBox.intersection(stay.box) : Self.nowhere
    }

    /// Gives the stays near borders the areas of their towns, at the end of the track.
    mutating func applyStays() {
        for stay in borderStay.decided {
            for index in stay.drafts where !drafts[index].isJump { drafts[index].area = stay.area }
        }
        for number in borderStay.decided.indices { extend(number) }
    }

    /// The sections before and after a stay that the same rule puts into its country belong to it, too: where the
    /// outlines are wrong, they are wrong for the way to a stay as well.
    private mutating func extend(_ number: Int) {
        let stays = borderStay.decided
        let stay = stays[number]
        let start = number > 0 ? stays[number - 1].drafts.upperBound : 0
        let end = number + 1 < stays.count ? stays[number + 1].drafts.lowerBound : drafts.count
        var index = stay.drafts.lowerBound
        while index > start, !drafts[index].begins, take(index - 1, stay.area) { index -= 1 }
        index = stay.drafts.upperBound
        while index < end, !drafts[index].begins, take(index, stay.area) { index += 1 }
    }

    /// Puts a draft into an area if its middle is there; false if it does not change.
    private mutating func take(_ index: Int, _ area: Area) -> Bool {
        let draft = drafts[index]
        guard draft.area != area, !draft.isJump, !draft.isFast, map.areaOfStay(at: draft.box.middle)?.area == area
        else {
            return false
        }
        drafts[index].area = area
        return true
    }
}

extension LedgerMap {
    /// A town farther away says nothing about the country of a place.
    private static let townMetres = 3000.0

    /// The area of a place at which somebody stayed, and whether the outlines put its town clearly into another one; nil
    /// if there is no town near it.
    ///
    /// The outlines of countries are generalised, and can be wrong by more than a kilometre; the country of a town is
    /// known. So the country of the nearest town counts, if the place is not much farther from this country, by the
    /// outlines, than the town itself is.
    func areaOfStay(at place: LedgerPlace) -> (area: Area, isMisplaced: Bool)? {
        let point = place.geoPoint
        let (town, metres) = gazetteer.nearest(to: point)
        guard metres <= Self.townMetres else { return nil }
        let country = gazetteer.countryIndex(ofPlace: town)
        let lookup = finder.lookup(point)
        let own = lookup.area.country
        if let own, gazetteerCountries[own] == country { return (lookup.area, false) }
        let center = gazetteer.position(of: town)
        let centerLookup = finder.lookup(center)
        var best: (area: Area, metres: Double, error: Double)?
        for index in gazetteerCountries.indices where gazetteerCountries[index] == country {
            let area = Area.country(index)
            let error = finder.distance(of: center, centerLookup, to: area, limit: AreaHysteresis.leaveMetres)
            let limit = min(AreaHysteresis.leaveMetres, AreaHysteresis.candidateMetres + error)
            let distance = finder.distance(of: point, lookup, to: area, limit: limit)
            if error <= AreaHysteresis.leaveMetres, distance <= limit, distance < best?.metres ?? .infinity {
                best = (area, distance, error)
            }
        }
        if let best { return (best.area, best.error > AreaHysteresis.candidateMetres) }
        return own == nil ? nil : (lookup.area, false)
    }
}
