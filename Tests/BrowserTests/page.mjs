import assert from 'node:assert/strict';

/// How long a condition may take to become true, and how often it is checked.
const WAIT_MS = 20_000, CHECK_MS = 40;
/// A page that plays never stops to load: then it is used after this time.
const SETTLING_MS = 1000;
const KEYS = {
  Enter: [13, '\r'], Tab: [9], Escape: [27], ' ': [32, ' '], ArrowLeft: [37], ArrowUp: [38], ArrowRight: [39],
  ArrowDown: [40], End: [35], Home: [36], '+': [187, '+'], '-': [189, '-'],
};

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/// A file as another site sends it, which every page may read.
const fileAnswer = ({ type, body }) => ({
  responseCode: 200, body: body.toString('base64'),
  responseHeaders: [{ name: 'Content-Type', value: type }, { name: 'Access-Control-Allow-Origin', value: '*' }],
});

/// A page of the browser. Functions given to `evaluate` and `until` run in the page, and see only their arguments.
export class Page {
  #send; #close; #faults = []; #rules = []; #requests = new Map(); #open = new Set(); #loads = 0;
  /// The URLs that were requested.
  requested = [];

  constructor({ send, close }) {
    this.#send = send;
    this.#close = close;
  }

  async prepare({ width, height, scheme, isTouch }) {
    await Promise.all(['Page', 'Runtime', 'Log', 'Network', 'DOM'].map((domain) => this.#send(domain + '.enable')));
    await this.#send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isTouch });
    if (isTouch) await this.#send('Emulation.setTouchEmulationEnabled', { enabled: true });
    // Several pages are used at once; each behaves as if it were in front.
    await this.#send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.prefer({ 'prefers-color-scheme': scheme, 'prefers-reduced-motion': 'reduce' });
  }

  /// Sets media features, such as the preferred colour scheme.
  prefer(features) {
    return this.#send('Emulation.setEmulatedMedia', {
      features: Object.entries(features).map(([name, value]) => ({ name, value })),
    });
  }

  take(method, params) {
    this.#handlers[method]?.(params);
  }

  #handlers = {
    'Runtime.consoleAPICalled': ({ type, args }) =>
      this.#fault(`console.${type}: ${args.map(({ value, description }) => value ?? description).join(' ')}`),
    'Runtime.exceptionThrown': ({ exceptionDetails: { text, exception } }) =>
      this.#fault(`exception: ${exception?.description ?? text}`),
    'Log.entryAdded': ({ entry }) => this.#fault(`${entry.level}: ${entry.text} ${entry.url ?? ''}`),
    'Network.requestWillBeSent': ({ requestId, request, type }) => {
      this.#requests.set(requestId, request.url);
      if (type !== 'EventSource') this.#open.add(requestId);
      this.requested.push(request.url);
    },
    'Network.responseReceived': ({ response: { status, url } }) => {
      if (status >= 400) this.#fault(`${status}: ${url}`);
    },
    'Network.loadingFinished': ({ requestId }) => this.#open.delete(requestId),
    'Network.loadingFailed': ({ requestId, errorText, canceled, type }) => {
      this.#open.delete(requestId);
      // A stream that the page closes, and an image that it does not need any more, are no failures.
      if (!canceled && errorText !== 'net::ERR_ABORTED' && type !== 'Ping') {
        this.#fault(`${errorText}: ${this.#requests.get(requestId)}`);
      }
    },
    'Page.loadEventFired': () => { this.#loads += 1; },
    'Fetch.requestPaused': (paused) => this.#answer(paused),
  };

  #fault(text) {
    this.#faults.push(text);
  }

  /// Everything that went wrong since the last call: messages in the console, exceptions and failed requests.
  faults() {
    return this.#faults.splice(0);
  }

  /// Fails if anything went wrong since the last call of this or of `faults`.
  assertClean() {
    assert.deepEqual(this.faults(), []);
  }

  // Requests

  /// Decides requests whose URL matches: `decide(url)` returns a status to answer with, a file of another site as
  /// { type, body }, 'lost' for no answer, or nothing.
  async intercept(expression, decide) {
    this.#rules.push({ expression, decide });
    await this.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  #answer({ requestId, request }) {
    const rule = this.#rules.find(({ expression }) => expression.test(request.url));
    const answer = rule?.decide(request.url);
    const done = !answer ? this.#send('Fetch.continueRequest', { requestId })
      : answer === 'lost' ? this.#send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' })
        : this.#send('Fetch.fulfillRequest', { requestId, ...(answer.body ? fileAnswer(answer) : { responseCode: answer }) });
    // The page may have cancelled the request.
    done.catch(() => {});
  }

  // Loading

  /// Opens a URL; resolves when it is loaded.
  async open(url) {
    const loads = this.#loads;
    const { errorText } = await this.#send('Page.navigate', { url });
    assert.equal(errorText, undefined, url);
    const isSame = url.includes('#') && (await this.evaluate(() => location.href)) === url && loads > 0;
    const end = Date.now() + WAIT_MS;
    while (!isSame && this.#loads === loads && Date.now() < end) await sleep(CHECK_MS);
  }

  /// Runs a script in each document before its own scripts.
  beforeLoad(script) {
    return this.#send('Page.addScriptToEvaluateOnNewDocument', { source: `(${script})()` });
  }

  async back() {
    await this.evaluate(() => history.back());
  }

  // Seeing

  /// The value of a function in the page.
  async evaluate(body, ...values) {
    const expression = typeof body === 'string' ? body : `(${body})(...${JSON.stringify(values)})`;
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression, awaitPromise: true, returnByValue: true, userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /// Waits until a function in the page returns something true, and returns that.
  async until(what, body, ...values) {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      // While a page is being loaded, there is nothing to ask.
      const value = await this.evaluate(body, ...values).catch((error) => {
        if (Date.now() > end) throw error;
        return null;
      });
      if (value) return value;
      if (Date.now() > end) {
        const notice = await this.evaluate(() => document.querySelector('#notice')?.textContent);
        throw new Error(`waited in vain until ${what}; the notice says “${notice}”; faults: ${this.#faults.join(' | ')}`);
      }
      await sleep(CHECK_MS);
    }
  }

  /// The text of the first element that matches, as it is shown; '' if it is not visible.
  text(selector) {
    return this.evaluate((wanted) => {
      const found = document.querySelector(wanted);
      return found?.checkVisibility() ? found.innerText : '';
    }, selector);
  }

  /// Waits until an element shows a text that matches; returns it.
  untilText(selector, expression) {
    return this.until(`${selector} shows ${expression}`, (wanted, source, flags) => {
      const found = document.querySelector(wanted), text = found?.checkVisibility() ? found.innerText : '';
      return new RegExp(source, flags).test(text) && (text || ' ');
    }, selector, expression.source, expression.flags);
  }

  untilVisible(selector) {
    return this.until(`${selector} is visible`, (wanted) => document.querySelector(wanted)?.checkVisibility(), selector);
  }

  untilHidden(selector) {
    return this.until(`${selector} is hidden`, (wanted) => !document.querySelector(wanted)?.checkVisibility(), selector);
  }

  async screenshot() {
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  // Acting

  #mouse(type, x, y, more = {}) {
    return this.#send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1, ...more });
  }

  /// The middle of an element that is visible and not covered.
  async middle(selector) {
    return this.until(`${selector} can be clicked`, (wanted) => {
      const found = document.querySelector(wanted);
      if (!found?.checkVisibility()) return null;
      found.scrollIntoView({ block: 'nearest' });
      const box = found.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const top = document.elementFromPoint(x, y);
      return (found.contains(top) || top?.contains(found)) && [x, y];
    }, selector);
  }

  /// Clicks an element, when the page has stopped to load and to move it.
  async click(selector) {
    const end = Date.now() + SETTLING_MS;
    while (this.#open.size > 0 && Date.now() < end) await sleep(CHECK_MS);
    let before = [], [x, y] = await this.middle(selector);
    while (before[0] !== x || before[1] !== y) {
      before = [x, y];
      await sleep(CHECK_MS);
      [x, y] = await this.middle(selector);
    }
    await this.clickAt(x, y);
  }

  async clickAt(x, y, count = 1) {
    await this.#mouse('mouseMoved', x, y, { button: 'none', buttons: 0 });
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      await this.#mouse('mousePressed', x, y, { clickCount });
      await this.#mouse('mouseReleased', x, y, { clickCount, buttons: 0 });
    }
  }

  hover(x, y) {
    return this.#mouse('mouseMoved', x, y, { button: 'none', buttons: 0 });
  }

  /// Drags from one place to another, in steps.
  async drag([fromX, fromY], [toX, toY], steps = 8) {
    await this.hover(fromX, fromY);
    await this.#mouse('mousePressed', fromX, fromY);
    for (let step = 1; step <= steps; step++) {
      await this.#mouse('mouseMoved', fromX + (toX - fromX) * step / steps, fromY + (toY - fromY) * step / steps);
    }
    await this.#mouse('mouseReleased', toX, toY, { buttons: 0 });
  }

  /// Presses a key, with Shift if wanted.
  async key(key, { shift = false } = {}) {
    const [code, text] = KEYS[key] ?? [key.toUpperCase().charCodeAt(0), key];
    const event = { key, windowsVirtualKeyCode: code, modifiers: shift ? 8 : 0 };
    await this.#send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', text, ...event });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /// Types a text where the focus is.
  type(text) {
    return this.#send('Input.insertText', { text });
  }

  /// Chooses in a list, or sets a field, as its reader would.
  async choose(selector, value) {
    await this.untilVisible(selector);
    await this.evaluate((wanted, chosen) => {
      const found = document.querySelector(wanted);
      found.value = chosen;
      found.dispatchEvent(new Event('input', { bubbles: true }));
      found.dispatchEvent(new Event('change', { bubbles: true }));
    }, selector, value);
  }

  /// Drops files on the page.
  async drop(files, x, y) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await this.#send('Input.dispatchDragEvent', { type, x, y, data });
    }
  }

  close() {
    return this.#close();
  }
}
