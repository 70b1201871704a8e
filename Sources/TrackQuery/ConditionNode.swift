import Tracks

/// The syntax tree of a condition.
indirect enum ConditionNode: Sendable, Equatable {
    case both(ConditionNode, ConditionNode)
    case either(ConditionNode, ConditionNode)
    case not(ConditionNode)
    /// The field's text is one of these, in lower case.
    case isOne(ConditionField, of: Set<String>)
    /// The field's text contains this, in lower case.
    case contains(ConditionField, String)
    case number(ConditionField, ConditionOperator, Double)
    case day(ConditionOperator, Int32)

    func admits(_ facts: TrackFacts, in calendar: DayCalendar) -> Bool {
        switch self {
        case .both(let left, let right): left.admits(facts, in: calendar) && right.admits(facts, in: calendar)
        case .either(let left, let right): left.admits(facts, in: calendar) || right.admits(facts, in: calendar)
        case .not(let inner): !inner.admits(facts, in: calendar)
        case .isOne(let field, let wanted): facts.texts(field).contains { wanted.contains($0.lowercased()) }
        case .contains(let field, let part): facts.texts(field).contains { $0.lowercased().contains(part) }
        case .number(let field, let comparison, let number):
            comparison.holds(field == .metres ? facts.metres : facts.seconds, number)
        // A track without times has no start day: it differs from every day, and is neither before nor after any.
        case .day(let comparison, let day):
            facts.start.map { comparison.holds(calendar.day(of: $0), day) } ?? (comparison == .unequal)
        }
    }
}

extension ConditionNode {
    /// What is known with the person and the device alone; nil if it depends on other fields.
    func admits(person: String, device: String) -> Bool? {
        func text(_ field: ConditionField) -> String? {
            switch field {
            case .person: person.lowercased()
            case .device: device.lowercased()
            default: nil
            }
        }
        func both(_ left: Bool?, _ right: Bool?) -> Bool? {
            left == false || right == false ? false : left == true && right == true ? true : nil
        }
        switch self {
        case .both(let left, let right):
            return both(left.admits(person: person, device: device), right.admits(person: person, device: device))
        case .either(let left, let right):
            let neither = both(
                left.admits(person: person, device: device).map(!), right.admits(person: person, device: device).map(!))
            return neither.map(!)
        case .not(let inner): return inner.admits(person: person, device: device).map(!)
        case .isOne(let field, let wanted): return text(field).map { wanted.contains($0) }
        case .contains(let field, let part): return text(field).map { $0.contains(part) }
        case .number, .day: return nil
        }
    }
}

extension TrackFacts {
    /// The texts of a field: one, or one for each tag; a track without tags has the empty text.
    fileprivate func texts(_ field: ConditionField) -> [String] {
        switch field {
        // The word of the file, and what it means.
        case .activity: [activity] + (Activity(word: activity).map { [$0.rawValue] } ?? [])
        case .person: [person]
        case .device: [device]
        case .name: [name]
        case .source: [source]
        case .tag: tags.isEmpty ? [""] : tags
        case .metres, .seconds, .start: []
        }
    }
}
