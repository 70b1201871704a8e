import Text

// What became of the plans of a file, venues and routes, for the user and as JSON.

extension FileReceipt {
    /// A line for each venue and route.
    var planLines: [String] {
        let name = oneLine(file)
        var lines: [String] = []
        for venue in venues {
            lines.append("\(name): venue \(oneLine(venue.name)) \(venue.change.rawValue): \(venue.content)")
            for notice in venue.notices { lines.append("\(name): \(oneLine(notice))") }
        }
        for route in routes {
            let places = DisplayText.count(route.places, "place")
            lines.append("\(name): route \(oneLine(route.name)) \(route.change.rawValue): \(places), id \(route.id)")
        }
        if let routeProblem { lines.append("\(name): no route of journeys was added: \(oneLine(routeProblem))") }
        return lines
    }

    /// Adds the members `venues`, `routes` and `routeProblem`, each if there is something.
    func addPlans(to object: inout JSONObject) {
        if !venues.isEmpty {
            object.add(
                "venues",
                objects: venues.map { venue in
                    var object = JSONObject()
                    object.add("id", venue.id)
                    object.add("name", venue.name)
                    object.add("change", venue.change.rawValue)
                    object.add("content", venue.content)
                    object.add("notices", venue.notices)
                    return object
                })
        }
        if !routes.isEmpty {
            object.add(
                "routes",
                objects: routes.map { route in
                    var object = JSONObject()
                    object.add("id", route.id)
                    object.add("name", route.name)
                    object.add("change", route.change.rawValue)
                    object.add("places", route.places)
                    return object
                })
        }
        if let routeProblem { object.add("routeProblem", routeProblem) }
    }
}
