import HTTPCore
import OpenAPI
import Recording
import RequestHandling
import Text
import Tracks

/// The response that an app expects once its points are stored.
enum Acknowledgement: Sendable {
    /// Our own: what was stored and refused.
    case receipt
    /// `200` without content.
    case empty
    /// OpenGTS' `OK`.
    case ok
    /// OwnTracks' list of messages to show, which is empty.
    case noMessages
    /// Overland's `{"result":"ok"}`.
    case resultOK
    /// The same with status `201`, as Dawarich answers batches.
    case batchCreated
    /// The stored points, as Dawarich answers.
    case storedPoints
    /// PhoneTrack's `{"done":1,"friends":[]}`.
    case done
    /// What PhoneTrack answers to Traccar.
    case success
    /// What PhoneTrack answers to OpenGTS.
    case isTrue
    /// What μlogger expects.
    case noError

    /// The response to points of which some may have been refused.
    func response(to batch: RecordingBatch) throws -> Response {
        switch self {
        case .receipt: return Self.uncached(try JSONResponse.response(RecordingReceipt(batch)))
        case .storedPoints: return Self.json(Self.stored(batch))
        default: return fixedResponse ?? Self.uncached(.text(""))
        }
    }

    /// The response to a body that could not be read. It is listed for the owner. Apps that send what failed again and
    /// again, and nothing else before it, get the answer that it was accepted; others get the reason.
    func response(to fault: RecordingError) -> Response {
        switch self {
        case .storedPoints: Self.json("{\"data\":[]}")
        case .batchCreated, .done, .success, .noError:
            fixedResponse ?? Problem.badRequest(fault.description).response
        case .receipt, .empty, .ok, .noMessages, .resultOK, .isTrue: Problem.badRequest(fault.description).response
        }
    }

    /// The response where it is always the same.
    private var fixedResponse: Response? {
        switch self {
        case .receipt, .storedPoints: return nil
        case .empty: return Self.uncached(.text(""))
        case .ok: return Self.uncached(.text("OK"))
        case .noMessages: return Self.json("[]")
        case .resultOK: return Self.json("{\"result\":\"ok\"}")
        case .batchCreated:
            var response = Self.json("{\"result\":\"ok\"}")
            response.status = .created
            return response
        case .done: return Self.json("{\"done\":1,\"friends\":[]}")
        case .success: return Self.json("{\"status\":\"success\"}")
        case .isTrue: return Self.json("true")
        case .noError: return Self.json("{\"error\":false}")
        }
    }

    /// A response with JSON that is written already.
    static func json(_ text: String) -> Response { uncached(.text(text, type: "application/json")) }

    private static func uncached(_ response: Response) -> Response {
        var response = response
        response.forbidStoring()
        return response
    }

    /// Sequence numbers replace the ids that Dawarich gives its points.
    private static func stored(_ batch: RecordingBatch) -> String {
        let points = batch.devices.flatMap(\.chunks).flatMap { chunk in (0..<chunk.count).map { (chunk, $0) } }
        var json = JSONWriter()
        json.object { json in
            json.array("data", points.enumerated()) { json, numbered in
                let (number, (chunk, index)) = numbered
                json.object { json in
                    json.add("id", number + 1)
                    json.add("timestamp", chunk.times[index] / 1000)
                    json.add(
                        "longitude", FixedDecimal(mantissa: chunk.unit.nanodegrees(chunk.longitudes[index]), places: 9))
                    json.add(
                        "latitude", FixedDecimal(mantissa: chunk.unit.nanodegrees(chunk.latitudes[index]), places: 9))
                }
            }
        }
        return json.text
    }
}

/// What was stored and refused of a request, in our own format.
private struct RecordingReceipt: Encodable {
    struct Refused: Encodable {
        var point: Int
        var reason: String
    }
    var accepted: Int
    /// Changes of heading.
    var headings: Int?
    var refused: Int
    /// Fields that were dropped from stored points.
    var refusedFields: Int?
    /// The first refusals.
    var reasons: [Refused]?

    init(_ batch: RecordingBatch) {
        accepted = batch.points
        headings = batch.headings > 0 ? batch.headings : nil
        refused = batch.refusedPoints
        refusedFields = batch.refusedFields > 0 ? batch.refusedFields : nil
        reasons = batch.refused.isEmpty ? nil : batch.refused.map { Refused(point: $0.point, reason: $0.reason) }
    }
}

extension Acknowledgement {
    /// The content of the response to points of which none was refused, for the description of its route.
    var content: APIContent? {
        switch self {
        case .receipt: .json(.receipt)
        case .empty: nil
        case .ok: APIContent("text/plain")
        case .noMessages: .json(.list(.object()))
        case .resultOK, .batchCreated: .json(.object([("result", .choice(["ok"]))]))
        case .noError: .json(.object([("error", .boolean), ("trackid?", .integer(1...Int.max))]))
        case .storedPoints, .done, .success, .isTrue: .json
        }
    }
}

extension APISchema {
    fileprivate static let receipt = object([
        ("accepted", .count), ("headings?", .count), ("refused", .count), ("refusedFields?", .count),
        ("reasons?", .list(.object([("point", .integer(1...Int.max)), ("reason", .text())]))),
    ]).named("Receipt")
}
