// Drives Chromium with its DevTools protocol over a pipe; needs no packages.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Page } from './page.mjs';

/// How long a command may take.
const COMMAND_MS = 20_000;
const FLAGS = [
  '--headless=new', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check', '--disable-gpu',
  '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-extensions', '--hide-scrollbars', '--mute-audio', '--lang=en-GB', '--force-color-profile=srgb',
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-features=Translate',
];

/// A running Chromium.
export class Browser {
  #child; #folder; #stderr = ''; #buffer = Buffer.alloc(0); #number = 0; #waiting = new Map(); #sessions = new Map();

  constructor(program = process.env.CHROMIUM || 'chromium') {
    this.#folder = mkdtempSync(join(tmpdir(), 'browser-'));
    // The sandbox of Chromium does not work for the superuser, for whom containers run.
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    this.#child = spawn(program, [...FLAGS, ...sandbox, '--user-data-dir=' + this.#folder, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, LANGUAGE: 'en_GB', TZ: 'Europe/Berlin' },
    });
    this.#child.stderr.on('data', (data) => { this.#stderr = (this.#stderr + data).slice(-4000); });
    this.#child.stdio[4].on('data', (data) => this.#read(data));
    this.#child.stdio[3].on('error', () => {});
    const fail = (why) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(why + '\n' + this.#stderr));
      this.#waiting.clear();
    };
    this.#child.on('error', (error) => fail(`${program} does not start: ${error.message}`));
    this.#child.on('exit', (code) => fail(`${program} has ended with code ${code}`));
  }

  #read(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const end = this.#buffer.indexOf(0);
      if (end < 0) return;
      const message = JSON.parse(this.#buffer.subarray(0, end).toString());
      this.#buffer = this.#buffer.subarray(end + 1);
      this.#take(message);
    }
  }

  #take({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      this.#sessions.get(sessionId)?.(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting?.resolve(result);
  }

  /// Sends a command; resolves with its result.
  send(method, params = {}, sessionId = undefined) {
    const id = this.#number += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method}: no answer from the browser`));
      }, COMMAND_MS);
      const settle = (take) => (value) => {
        clearTimeout(timer);
        take(value);
      };
      this.#waiting.set(id, { method, resolve: settle(resolve), reject: settle(reject) });
      this.#child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }

  /// Opens an empty page with its own cookies, storage and cache. `scheme` is the preferred colour scheme.
  async page({ width = 1440, height = 900, scheme = 'light', isTouch = false } = {}) {
    const { browserContextId } = await this.send('Target.createBrowserContext', { disposeOnDetach: true });
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page({
      send: (method, params) => this.send(method, params, sessionId),
      close: async () => {
        this.#sessions.delete(sessionId);
        await this.send('Target.disposeBrowserContext', { browserContextId });
      },
    });
    this.#sessions.set(sessionId, (method, params) => page.take(method, params));
    await page.prepare({ width, height, scheme, isTouch });
    return page;
  }

  /// Ends Chromium, and removes its files.
  async close() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode === null) {
      await this.send('Browser.close').catch(() => this.#child.kill('SIGKILL'));
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/// Writes a screenshot if the environment names a folder for it.
export async function keepPicture(page, name) {
  const folder = process.env.TILESERVE_SCREENSHOTS;
  if (folder) writeFileSync(join(folder, name + '.png'), await page.screenshot());
}
