import Text

/// Joining, cutting, choosing and merging points.
extension PointColumns {
    /// Creates columns without points.
    package init() {
        self.init(unit: .decimal(places: 0), longitudes: [], latitudes: [], times: [], segmentStarts: [])
    }

    /// Appends points. The unit becomes the finer one of both; semicircles stay only if both are in them.
    package mutating func append(_ other: PointColumns) {
        let base = count
        guard base > 0 else {
            self = other
            return
        }
        append(timesAndPlacesOf: other)
        append(fieldsOf: other, base)
    }

    /// Appends points if they have the same fields, each as numbers that can be converted to one scale or as texts;
    /// else nothing is changed.
    package mutating func appendAlike(_ other: PointColumns) -> Bool {
        guard fields.count == other.fields.count, zip(fields, other.fields).allSatisfy({ $0.name == $1.name }) else {
            return false
        }
        let base = count
        for index in fields.indices where !fields[index].values.appendAlike(other.fields[index].values) {
            for done in 0..<index { fields[done].values = fields[done].values.slice(0..<base) }
            return false
        }
        append(timesAndPlacesOf: other)
        return true
    }

    private mutating func append(timesAndPlacesOf other: PointColumns) {
        let base = count
        let (east, north) = meet(other)
        longitudes.append(contentsOf: east)
        latitudes.append(contentsOf: north)
        times.append(contentsOf: other.times)
        segmentStarts.append(contentsOf: other.segmentStarts.map { $0 + base })
    }

    /// Converts the coordinates to the finer unit of both, and returns those of the other one in it.
    private mutating func meet(_ other: PointColumns) -> (east: [Int64], north: [Int64]) {
        if unit == other.unit { return (other.longitudes, other.latitudes) }
        var other = other
        if unit == .semicircles { becomeDecimal() }
        if other.unit == .semicircles { other.becomeDecimal() }
        guard case .decimal(let mine) = unit, case .decimal(let theirs) = other.unit else {
            return (other.longitudes, other.latitudes)
        }
        refine(to: max(mine, theirs))
        other.refine(to: max(mine, theirs))
        return (other.longitudes, other.latitudes)
    }

    private mutating func refine(to finest: UInt8) {
        guard case .decimal(let places) = unit, places < finest else { return }
        let factor = FixedDecimal.integerPower(finest - places)
        longitudes = longitudes.map { $0 &* factor }
        latitudes = latitudes.map { $0 &* factor }
        unit = .decimal(places: finest)
    }

    /// Converts semicircles to the nearest 1e-9°, at which different semicircles stay different.
    package mutating func becomeDecimal() {
        guard unit == .semicircles else { return }
        longitudes = longitudes.map(unit.nanodegrees)
        latitudes = latitudes.map(unit.nanodegrees)
        unit = .decimal(places: 9)
    }

    /// Both lists of fields are ordered by name.
    private mutating func append(fieldsOf other: PointColumns, _ base: Int) {
        if zip(fields, other.fields).allSatisfy({ $0.name == $1.name }), fields.count == other.fields.count {
            for index in fields.indices { fields[index].values.append(other.fields[index].values) }
            return
        }
        var (mine, theirs) = (fields[...], other.fields[...])
        fields = []
        while let field = mine.first ?? theirs.first {
            let name = min(field.name, theirs.first?.name ?? field.name)
            var values = FieldColumn.Values.absent(base)
            if mine.first?.name == name { values = mine.removeFirst().values }
            if theirs.first?.name == name { values.append(theirs.removeFirst().values) } else { values.fill(to: count) }
            fields.append(FieldColumn(name: name, values: values))
        }
    }

    /// The points of several chunks in their order. By halves: where nearly every chunk has other fields, one after the
    /// other would rewrite all columns for each of them.
    package static func joined(_ chunks: ArraySlice<PointColumns>) -> PointColumns {
        guard chunks.count > 1 else { return chunks.first ?? PointColumns() }
        let middle = chunks.startIndex + chunks.count / 2
        var joined = joined(chunks[..<middle])
        joined.append(Self.joined(chunks[middle...]))
        return joined
    }

    /// The points at the given indices, in this order, in the coarsest lossless unit; fields without a value are left
    /// out, and numbers have the fewest decimal places without loss.
    package func gathered(_ indices: [Int], segmentStarts: [Int] = []) -> PointColumns {
        chosen(indices, segmentStarts)
    }

    /// The same of a range, with these segments.
    package func gathered(_ range: Range<Int>, segmentStarts: [Int]) -> PointColumns {
        chosen(range, segmentStarts)
    }

    // Private: called from another target, it would not be specialised for the collection, and cost twice as much.
    private func chosen(_ indices: some Collection<Int>, _ segmentStarts: [Int]) -> PointColumns {
        var east = indices.map { longitudes[$0] }
        var north = indices.map { latitudes[$0] }
        var unit = unit
        if case .decimal(let places) = unit {
            var needed = NeededPlaces(of: places)
            for coordinate in east { needed.add(coordinate) }
            for coordinate in north { needed.add(coordinate) }
            if needed.places < places {
                let divisor = FixedDecimal.integerPower(places - needed.places)
                east = east.map { $0 / divisor }
                north = north.map { $0 / divisor }
            }
            unit = .decimal(places: needed.places)
        }
        return PointColumns(
            unit: unit, longitudes: east, latitudes: north, times: indices.map { times[$0] },
            segmentStarts: segmentStarts,
            fields: fields.compactMap { field in
                field.values.gathered(indices).map { FieldColumn(name: field.name, values: $0) }
            })
    }

    /// The same of a range, with the segments that begin in it.
    package func gathered(_ range: Range<Int>) -> PointColumns {
        gathered(range, segmentStarts: segmentStarts.filter(range.contains).map { $0 - range.lowerBound })
    }

    /// Sets the values of a field, one for each point.
    package mutating func set(_ field: String, to values: FieldColumn.Values) {
        precondition(values.count == count, "all columns must have the same length")
        let column = FieldColumn(name: field, values: values)
        let index = fields.firstIndex { $0.name >= field } ?? fields.endIndex
        if index < fields.endIndex, fields[index].name == field {
            fields[index] = column
        } else {
            fields.insert(column, at: index)
        }
    }

    /// Moves fields above a limit into the field `FieldName.otherFields`, as `NAME=VALUE` separated by `; `: a chunk
    /// with too many columns could not be decoded. Fields of `old` stay; of the others, the first by name stay.
    package mutating func limitFields(to limit: Int, after old: PointColumns?) {
        guard fields.count > limit else { return }
        var known = Set(old?.fields.map(\.name) ?? [])
        known.insert(FieldName.otherFields)
        let rest = Set(fields.map(\.name).filter { !known.contains($0) }.dropFirst(max(0, limit - known.count)))
        var others = column(FieldName.otherFields)?.values.asTexts ?? [String?](repeating: nil, count: count)
        for field in fields where rest.contains(field.name) {
            for (index, value) in field.values.asTexts.enumerated() {
                guard let value else { continue }
                let before = others[index].map { $0 + "; " } ?? ""
                others[index] = before + "\(field.name)=\(value)"
            }
        }
        fields.removeAll { rest.contains($0.name) }
        set(FieldName.otherFields, to: .texts(others))
    }

    /// Merges the points of each group into one: the richer value wins, then the smaller. The result has no segments.
    package func merged(_ groups: [[Int]]) -> PointColumns {
        let best = groups.map { group in group.min { hasBetterPlace($0, than: $1) } ?? group[0] }
        return PointColumns(
            unit: unit, longitudes: best.map { longitudes[$0] }, latitudes: best.map { latitudes[$0] },
            times: best.map { times[$0] }, segmentStarts: [],
            fields: fields.compactMap { field in
                let best = groups.map { group in group.min { field.values.isBetter($0, than: $1) } ?? group[0] }
                return field.values.gathered(best).map { FieldColumn(name: field.name, values: $0) }
            })
    }

    private func hasBetterPlace(_ one: Int, than other: Int) -> Bool {
        if case .decimal(let places) = unit {
            let (mine, theirs) = (neededPlaces(of: one, places), neededPlaces(of: other, places))
            if mine != theirs { return mine > theirs }
        }
        return (longitudes[one], latitudes[one]) < (longitudes[other], latitudes[other])
    }

    private func neededPlaces(of point: Int, _ places: UInt8) -> UInt8 {
        var needed = NeededPlaces(of: places)
        needed.add(longitudes[point])
        needed.add(latitudes[point])
        return needed.places
    }

    /// The points between two times (both inclusive) of a chunk that is ordered by time.
    package func slice(from start: Int64, to end: Int64) -> PointColumns {
        guard let first = times.first, let last = times.last, first < start || last > end else { return self }
        let lower = times.firstIndex { $0 >= start } ?? count
        let upper = times[lower...].firstIndex { $0 > end } ?? count
        return slice(lower..<upper)
    }

    /// A range of points, in the same unit.
    package func slice(_ range: Range<Int>) -> PointColumns {
        PointColumns(
            unit: unit, longitudes: Array(longitudes[range]), latitudes: Array(latitudes[range]),
            times: Array(times[range]),
            segmentStarts: segmentStarts.filter(range.contains).map { $0 - range.lowerBound },
            fields: fields.map { FieldColumn(name: $0.name, values: $0.values.slice(range)) })
    }
}
