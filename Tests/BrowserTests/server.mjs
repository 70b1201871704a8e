// Libraries made up for the tests, and servers that show them.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env.TILESERVE || join(root, '.build/debug/tileserve');
const env = { ...process.env, TZ: 'Europe/Berlin' };
const run = promisify(execFile);

export const folder = mkdtempSync(join(tmpdir(), 'page-tests-'));
const servers = new Set();

/// A GPX file of one track. `places` are [longitude, latitude, elevation?]; one each `seconds` from `start` on.
export function gpx({ name, type = 'cycling', start, seconds = 10, places }) {
  const began = Date.parse(start);
  const points = places.map(([longitude, latitude, elevation], index) =>
    `<trkpt lat="${latitude}" lon="${longitude}">${elevation === undefined ? '' : `<ele>${elevation.toFixed(1)}</ele>`}`
    + `<time>${new Date(began + index * seconds * 1000).toISOString()}</time></trkpt>`);
  return `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk>`
    + `<name>${name}</name><type>${type}</type><trkseg>${points.join('\n')}</trkseg></trk></gpx>`;
}

/// A curved line of so many places, about 20 m apart.
export function curve([longitude, latitude], count, turn = 0.02) {
  const places = [];
  let [x, y] = [longitude, latitude];
  for (let step = 0; step < count; step++) {
    x += 0.0003 * Math.cos(step * turn);
    y += 0.00018 * Math.sin(step * turn);
    places.push([Number(x.toFixed(6)), Number(y.toFixed(6)), 40 + 15 * Math.sin(step / 40)]);
  }
  return places;
}

/// Writes files, {name: text}; returns their paths.
export function write(files) {
  const own = mkdtempSync(join(folder, 'files-'));
  return Object.entries(files).map(([name, text]) => {
    const path = join(own, name);
    writeFileSync(path, text);
    return path;
  });
}

/// A new library with these files.
export async function library(files) {
  const path = mkdtempSync(join(folder, 'library-'));
  if (Object.keys(files).length > 0) await run(program, ['import', '--library', path, ...write(files)], { env });
  return path;
}

/// Runs a command of the program; returns what it prints.
export const command = async (...words) => (await run(program, words, { env })).stdout;

/// Serves a library; resolves with its URL when it is ready.
export async function serve(path, ...options) {
  const page = process.env.TILESERVE_SITE ? ['--site', process.env.TILESERVE_SITE] : [];
  const child = spawn(program, ['serve', '--library', path, '--port', '0', ...page, ...options], {
    env, stdio: ['ignore', 'ignore', 'pipe'],
  });
  servers.add(child);
  let text = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      text += data;
      const port = /http:\/\/[^\s/]*?:(\d+)/.exec(text)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}/`);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server has ended with code ${code}: ${text}`)));
  });
  return { url, stop: () => stop(child) };
}

async function stop(child) {
  servers.delete(child);
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/// Ends all servers, and removes the libraries.
export async function cleanUp() {
  await Promise.all([...servers].map(stop));
  rmSync(folder, { recursive: true, force: true });
}

/// Records points of a device, as an app would.
export async function record(url, device, points) {
  const response = await fetch(`${url}v1/record/${device}`, { method: 'POST', body: JSON.stringify({ points }) });
  assert.ok(response.ok, await response.text());
}

/// A town: rides of two years, walks, and two tracks at the same time.
export function town() {
  const files = {};
  for (let ride = 0; ride < 12; ride++) {
    const start = new Date(Date.UTC(2023, ride * 2, 3 + ride, 7)).toISOString();
    files[`ride-${ride}.gpx`] = gpx({
      name: `Ride ${ride + 1}`, start, places: curve([13.35, 52.5 + ride % 3 * 0.002], 240),
    });
  }
  for (let walk = 0; walk < 4; walk++) {
    const start = new Date(Date.UTC(2024, 3 + walk, 9, 15)).toISOString();
    files[`walk-${walk}.gpx`] = gpx({
      name: `Walk ${walk + 1}`, type: 'walking', start, seconds: 20, places: curve([13.38, 52.51], 200, 0.04),
    });
  }
  files['first.gpx'] = gpx({ name: 'First', start: '2024-12-01T10:00:00Z', places: curve([13.40, 52.52], 360) });
  files['second.gpx'] = gpx({ name: 'Second', start: '2024-12-01T10:30:00Z', places: curve([13.44, 52.50], 360) });
  return files;
}
