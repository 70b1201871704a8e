import HTTPCore
import Locking
import RequestHandling

/// The page with what describes it to other programs.
struct DescribedPage: LibraryResponder {
    let files: MadeOnce<PageFiles>
    let queue: WorkQueue
    /// Elements of the head.
    let elements: String

    func answer(_ request: Request) -> HandlerResult {
        queue.answer { files.value.page(withHead: elements).reply(to: request) }
    }

    func methods(for request: Request) -> [Method]? { [.get, .head] }
}
