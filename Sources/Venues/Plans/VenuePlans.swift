extension Venue {
    /// The walls and the free space of a level, for drawing and for routes. Cost: 0.02 to 0.3 s a level.
    public func plan(ofLevel level: Int) throws(VenueError) -> LevelPlan {
        try PlanBuilder.plan(self, level: level)
    }

    /// The walls of a level only, for drawing.
    public func wallPlan(ofLevel level: Int) throws(VenueError) -> LevelPlan {
        try PlanBuilder.plan(self, level: level, hasWallsOnly: true)
    }
}
