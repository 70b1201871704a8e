extension Page {
    /// A stream of events, followed across everything that may happen to a network.
    static let streamScript = #"""
        import { address, refusal } from './server.js';

        /// A stream that should never be silent is opened anew after this time, then after twice as long, and so on: what
        /// went away without a word is not heard of otherwise.
        const PATIENCE_MS = 6000, LONGEST_PATIENCE_MS = 60_000;
        /// After a refusal that may pass it is asked again after this time, then after twice as long, and so on.
        const RETRY_MS = 1000, LONGEST_RETRY_MS = 15_000;
        const WATCH_MS = 1000;

        /// Follows the stream at a path, behind the event `last` if there is one, and calls `on`: `event(kind, value, id)`,
        /// `lost(why)` when it is interrupted, `back()` when it goes on, `refused(error)` and `over()` when it does not;
        /// `opened()`, where it is there, whenever it is open.
        export function follow(path, parameters, kinds, on, { last = '', isNeverSilent = false } = {}) {
          let source = null, opened = last, heard = 0, patience = PATIENCE_MS, pause = RETRY_MS;
          let isLost = false, isClosed = false, later = 0;

          function open() {
            clearTimeout(later);
            source?.close();
            heard = performance.now();
            opened = last;
            source = new EventSource(current());
            // What comes from one that was given up is not ours any more.
            const own = source;
            for (const kind of kinds) own.addEventListener(kind, (event) => own === source && take(kind, event));
            own.addEventListener('open', () => {
              if (own !== source) return;
              heard = performance.now();
              if (!isNeverSilent) isBack();
              on.opened?.();
            });
            own.addEventListener('error', () => own === source && fail());
          }

          const current = () => address(path, { ...parameters, lastEventId: last || undefined });

          function take(kind, event) {
            if (isClosed) return;
            heard = performance.now();
            patience = PATIENCE_MS;
            pause = RETRY_MS;
            last = event.lastEventId;
            isBack();
            on.event(kind, JSON.parse(event.data), last);
          }

          function isBack() {
            if (isLost) on.back();
            isLost = false;
          }

          function lose(why = '') {
            isLost = true;
            on.lost(why);
          }

          function fail() {
            if (source.readyState === EventSource.CLOSED) {
              refuse();
              return;
            }
            lose();
            // The browser comes back by itself, with the id of the last event; without any it would ask for what is behind
            // the one in the address again.
            if (opened && !last) open();
          }

          /// A browser does not tell why it was refused, so it is asked once more.
          async function refuse() {
            source.close();
            const asking = new AbortController();
            try {
              const response = await fetch(current(), { signal: asking.signal, cache: 'no-store' });
              if (isClosed) return;
              if (response.status === 204) {
                close();
                on.over();
                return;
              }
              if (response.ok) lose();
              else {
                const value = await response.json().catch(() => ({}));
                if (isClosed) return;
                const error = Object.assign(new Error(refusal(response.status, value)), { status: response.status });
                // Too many readers, or a server that is not ready, will pass; a query that is wrong will not.
                if (response.status < 500 && response.status !== 429) {
                  close();
                  on.refused(error);
                  return;
                }
                lose(error.message);
              }
            } catch {
              if (isClosed) return;
              lose();
            } finally {
              asking.abort();
            }
            later = setTimeout(open, pause);
            pause = Math.min(pause * 2, LONGEST_RETRY_MS);
          }

          function look() {
            if (!isNeverSilent || source.readyState === EventSource.CLOSED) return;
            if (performance.now() - heard < patience) return;
            patience = Math.min(patience * 2, LONGEST_PATIENCE_MS);
            lose();
            open();
          }

          const online = () => isLost && open();
          const offline = () => lose();

          function close() {
            isClosed = true;
            source.close();
            clearTimeout(later);
            clearInterval(watch);
            removeEventListener('online', online);
            removeEventListener('offline', offline);
          }

          const watch = setInterval(look, WATCH_MS);
          addEventListener('online', online);
          addEventListener('offline', offline);
          open();
          return {
            close,
            /// The id of the last event.
            last: () => last,
          };
        }

        """#
}
