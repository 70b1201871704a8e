package import Editions
package import Text

extension JSONObject {
    /// Adds when an edition shows what is recorded.
    package mutating func add(timesOf rule: EditionRule) {
        add("delayDays", rule.delayDays)
        add("live", rule.isLive)
        add("from", rule.from.map(InstantFormatter.text))
        add("to", rule.to.map(InstantFormatter.text))
        add("until", rule.until.map(InstantFormatter.text))
    }
}
