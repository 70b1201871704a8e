import HTTPCore

extension DrawingQueue {
    /// An answer that reads the disk: made in its turn among the drawings, or a `503` where too many wait.
    func answer(_ make: @escaping @Sendable () throws -> Reply) -> Answer {
        .deferred(
            Deferred { [self] completion in
                let ticket = add(
                    work: {
                        do {
                            completion(try make())
                        } catch {
                            completion(.response(Problem.response(to: error)))
                        }
                    },
                    refuse: {
                        let problem = Problem.unavailable(
                            "too many tiles are being drawn", retryAfterSeconds: Health.retryAfterSeconds)
                        completion(.response(problem.response))
                    })
                return Cancellation { [self] in cancel(ticket) }
            })
    }
}
