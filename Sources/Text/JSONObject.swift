/// A JSON object on one line, with its members in the order of addition.
public struct JSONObject: Sendable {
    /// The braces and the members so far, without the closing brace.
    private var json = JSONWriter(escapes: [.lineFeed, .tabAndReturn])

    public init() {
        json.raw("{")
    }

    public var text: String { json.text + "}" }

    public mutating func add(_ name: String, _ value: Int) {
        json.add(name, value)
    }

    public mutating func add(_ name: String, _ value: Bool) {
        json.add(name, value)
    }

    public mutating func add(_ name: String, _ value: String?) {
        json.add(name, value)
    }

    /// Adds a number; `null` if it is nil or not finite.
    public mutating func add(_ name: String, number: Double?) {
        json.add(name, number)
    }

    public mutating func add(_ name: String, numbers: [Double]?) {
        json.key(name)
        guard let numbers else { return json.add(nil as String?) }
        json.array(numbers) { $0.add($1) }
    }

    public mutating func add(_ name: String, texts: [String: String]) {
        json.object(name) { json in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                json.add(name, text)
            }
        }
    }

    public mutating func add(_ name: String, _ values: [String]) {
        json.array(name, values) { $0.add($1) }
    }

    public mutating func add(_ name: String, object: JSONObject) {
        json.key(name)
        json.raw(object.text)
    }

    public mutating func add(_ name: String, objects: [JSONObject]) {
        add(name, json: objects.map(\.text))
    }

    /// Adds texts that are JSON already, such as stored receipts.
    public mutating func add(_ name: String, json texts: [String]) {
        json.array(name, texts) { $0.raw($1) }
    }

    public mutating func add(_ name: String, counts: [(String, Int)]) {
        json.object(name) { json in
            for (name, count) in counts.sorted(by: { $0.0 < $1.0 }) {
                json.add(name, count)
            }
        }
    }
}
