import CMicroHTTPD
import HTTPCore

/// Sends streams of events.
extension EventLoop {
    /// Sends events as they arrive. A connection that waits for events is suspended, and its socket is watched
    /// meanwhile, because the library does not watch it.
    func stream(
        _ channel: EventChannel, _ response: Response, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> Bool {
        let body = unsafe EventStreamBody(channel, on: native)
        guard let form = NativeResponse(response, events: body), let disconnectWatch,
            disconnectWatch.watch(connection.descriptor)
        else { return false }
        connection.record.status = response.status.code
        guard unsafe MHD_queue_response(native, UInt32(response.status.code), form.pointer) == .YES else {
            disconnectWatch.unwatch(connection.descriptor)
            return false
        }
        connection.phase = .streaming(body)
        channel.open { [weak self] in
            body.resume()
            self?.scheduleRun()
        }
        return true
    }

    /// Sends the head of a stream, whose length is not known. The connection ends with it, because libmicrohttpd 0.9.75
    /// also sends the empty chunk that ends a chunked body.
    func sendHead(
        _ channel: EventChannel, _ response: Response, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> Bool {
        channel.close()
        connection.phase = .replying
        connection.record.status = response.status.code
        guard let form = NativeResponse(response, events: unsafe EventStreamBody(channel, on: native)),
            unsafe tileserve_omit_chunks(form.pointer) == .YES
        else { return false }
        return unsafe MHD_queue_response(native, UInt32(response.status.code), form.pointer) == .YES
    }
}
