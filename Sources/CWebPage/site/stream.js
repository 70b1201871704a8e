import { address, errorOf } from './server.js';

/// A stream that is never silent for long is opened again after this time without an event, then after twice as long, and
/// so on: browsers do not report every lost connection.
const SILENCE_MS = 6000, MAX_SILENCE_MS = 60_000;
/// After a temporary refusal it is requested again after this time, then after twice as long, and so on.
const RETRY_MS = 1000, MAX_RETRY_MS = 15_000;
const WATCH_MS = 1000;

/// Reads the event stream at a path, after the event `last` if there is one, and reconnects after interruptions. Calls
/// `on`: `event(kind, value, id)`; `lost(why)` after an interruption and `back()` after its end; `refused(error)` or
/// `over()` at the end; `opened()`, if it exists, after each opening.
export function follow(path, parameters, kinds, on, { last = '', isNeverSilent = false } = {}) {
  let source = null, opened = last, heard = 0, silence = SILENCE_MS, pause = RETRY_MS;
  let isLost = false, isClosed = false, later = 0;

  function open() {
    clearTimeout(later);
    source?.close();
    heard = performance.now();
    opened = last;
    source = new EventSource(current());
    // Events of a source that was replaced are ignored.
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
    silence = SILENCE_MS;
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
    // The browser reconnects with the id of the last event. If an event had no id, it would use the one in the URL,
    // which is too old.
    if (opened && !last) open();
  }

  /// `EventSource` does not give the reason of a refusal, so the same URL is requested once more.
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
        const error = await errorOf(response);
        if (isClosed) return;
        // Too many readers, or a server that is not ready, are temporary.
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
    pause = Math.min(pause * 2, MAX_RETRY_MS);
  }

  function checkSilence() {
    if (!isNeverSilent || source.readyState === EventSource.CLOSED) return;
    if (performance.now() - heard < silence) return;
    silence = Math.min(silence * 2, MAX_SILENCE_MS);
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

  const watch = setInterval(checkSilence, WATCH_MS);
  addEventListener('online', online);
  addEventListener('offline', offline);
  open();
  return {
    close,
    /// The id of the last event.
    last: () => last,
  };
}
