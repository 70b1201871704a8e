package import Pins
internal import PrimaryStore
package import Text
package import TrackStore

extension Pin {
    /// The members of a pin in lists. `hidesContent` leaves out what only some may read.
    package func json(hidesContent: Bool = false) -> JSONObject {
        var object = JSONObject()
        object.add("id", id.description)
        object.add("lon", number: place.degrees.longitude)
        object.add("lat", number: place.degrees.latitude)
        object.add("time", time.map(InstantFormatter.utc))
        object.add("person", person)
        object.add("category", category)
        object.add("caption", hidesContent ? nil : caption)
        object.add("source", source.rawValue)
        object.add("located", located.rawValue)
        object.add("score", score)
        object.add("visibility", visibility.rawValue)
        object.add("photo", photo != nil && !hidesContent)
        object.add("comments", number: hidesContent ? nil : Double(comments))
        // Only the owner sees hidden pins.
        if isHidden { object.add("hidden", true) }
        return object
    }

    /// All details of a pin.
    package func fullJSON(hidesContent: Bool = false, picture: PinPictureDetails? = nil) -> JSONObject {
        var object = json(hidesContent: hidesContent)
        object.add("created", InstantFormatter.utc(created))
        object.add("expires", expires.map(InstantFormatter.utc))
        object.add("notes", texts: hidesContent ? [:] : attributes)
        picture?.add(to: &object)
        return object
    }
}

/// What is known about the photo of a pin.
package struct PinPictureDetails {
    private let photo: PinPhoto
    private let sizes: [PinPhoto.Size]

    /// nil if the pin has no photo with a picture.
    init?(_ pin: Pin, _ library: Library, for reader: PinReader) throws {
        guard pin.photo != nil, var photo = try library.database.photo(ofPin: pin.id) else { return nil }
        if pin.located == .hand {
            // The pin may have been moved since the photo was located.
            photo.method = .hand
            photo.radiusMetres = nil
        }
        let stored = try library.database.pictureSizes(ofPin: pin.id)
        self.photo = photo
        sizes = PinPhoto.Size.allCases.filter {
            stored.contains($0) && ($0 != .original || reader.isAuthor(of: pin))
        }
    }

    /// The details for the owner.
    package init?(_ pin: Pin, _ library: Library) throws {
        try self.init(pin, library, for: .owner)
    }

    /// Adds members; width and height are those of the photo as it is shown.
    func add(to object: inout JSONObject) {
        let isSideways = (5...8).contains(photo.orientation)
        let pixels = photo.pixels.map { isSideways ? ($0.height, $0.width) : ($0.width, $0.height) }
        object.add("pictures", sizes.map(\.rawValue))
        object.add("width", number: pixels.map { Double($0.0) })
        object.add("height", number: pixels.map { Double($0.1) })
        object.add("camera", photo.camera)
        object.add("method", photo.method.rawValue)
        object.add("radius", number: photo.radiusMetres)
    }
}
