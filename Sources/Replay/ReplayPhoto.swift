/// A photo that a replay shows when its moment comes.
public struct ReplayPhoto: Sendable, Equatable {
    /// The order of photos: by time, then by number.
    public struct Order: Sendable, Hashable, Comparable {
        /// Milliseconds since 1970.
        public var time: Int64
        /// The library's internal number of the pin.
        public var number: Int64

        public init(time: Int64, number: Int64) {
            self.time = time
            self.number = number
        }

        /// Behind all photos of a time.
        static func end(of time: Int64) -> Order { Order(time: time, number: .max) }

        public static func < (left: Self, right: Self) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }
    }

    /// The id of the pin that shows it.
    public var pin: String
    public var order: Order
    /// Units of 1e-7°.
    public var longitude: Int32
    public var latitude: Int32
    public var caption: String?

    public init(pin: String, order: Order, longitude: Int32, latitude: Int32, caption: String?) {
        self.pin = pin
        self.order = order
        self.longitude = longitude
        self.latitude = latitude
        self.caption = caption
    }
}
