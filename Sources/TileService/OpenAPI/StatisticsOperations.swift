import Charts
import HTTPCore
import Statistics
import Styling

extension APIOperations {
    private static let person = APIParameter(
        "person", .text(), "The name of a person; empty for the owner of the library", example: "ada")

    private static let totalsParameters =
        [
            APIParameter(
                "by", .choice(PeriodLength.allCases.map(\.rawValue), default: PeriodLength.month.rawValue),
                "The length of the periods; weeks are those of ISO 8601")
        ] + window + [layer, person, activity]

    private static let chartParameters =
        totalsParameters + [
            APIParameter(
                "value", .choice(ChartedValue.allCases.map(\.rawValue), default: ChartedValue.metres.rawValue),
                "What the bars show"),
            APIParameter("theme", .choice(Theme.allCases.map(\.rawValue), default: "light"), "The background"),
            APIParameter("size", .pattern("^[0-9]+x[0-9]+$"), "Width and height in pixels", example: "960x400"),
        ]

    /// Totals by period.
    static let statistics: Table = [
        Route(.get, "/v1/stats"): APIOperation(
            summary: "totals by day, week, month or year", tag: .statistics,
            detail: "Days are those of the library's time zone. A window of instants means the days of these.",
            parameters: totalsParameters, answers: [APIResponse("The totals", .json(.named("Totals")))],
            canBeMissing: true, isValidated: true),
        Route(.get, "/v1/stats.csv"): APIOperation(
            summary: "the same as CSV", tag: .statistics, parameters: totalsParameters,
            answers: [APIResponse("The totals", APIContent("text/csv"))], canBeMissing: true, isValidated: true),
        Route(.get, "/v1/stats.svg"): APIOperation(
            summary: "the same as a chart, SVG", tag: .statistics, parameters: chartParameters,
            answers: [APIResponse("The chart", APIContent("image/svg+xml"))], canBeMissing: true, isValidated: true),
        Route(.get, "/v1/stats.png"): APIOperation(
            summary: "the same as a chart, PNG", tag: .statistics,
            parameters: chartParameters + [
                APIParameter("scale", .choice(["1", "2"], default: "2"), "Pixels for each pixel of the size")
            ],
            answers: [APIResponse("The chart", png)], canBeMissing: true, isValidated: true),
        Route(.get, "/v1/stats/year/{year}"): APIOperation(
            summary: "the review of a year", tag: .statistics,
            parameters: [
                APIParameter("year", .integer(StatisticsHandler.years), "The year", in: .path, example: "2024"), layer,
                person, activity,
            ], answers: [APIResponse("The review", json)], canBeMissing: true, isValidated: true),
    ]
}
