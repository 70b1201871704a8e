import PrimaryStore
package import RequestHandling

extension [any RequestHandler] {
    /// The handlers of what is computed from tracks: totals, visited tiles, countries, stays.
    package static func statistics(_ context: HandlerContext) -> [any RequestHandler] {
        let maps = ExplorerMaps(context)
        let ledgers = CountryLedgers(context)
        return [
            StatisticsHandler(context: context, maps: maps, ledgers: ledgers, now: TrackDatabase.systemClock),
            ExplorerHandler(context: context, maps: maps), CountriesHandler(context: context, ledgers: ledgers),
            CountryTileHandler(context: context, ledgers: ledgers),
            StaysHandler(context: context, stays: AllStays(context)), StayNameHandler(context: context),
        ]
    }
}
