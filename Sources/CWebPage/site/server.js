import { capitalized, sentence } from './text.js';

/// The key in the URL of the page, if there is one.
const key = new URLSearchParams(globalThis.location?.search).get('key') ?? undefined;

/// Headers of requests that change anything: for those, the server does not accept the key in the URL.
export const credentials = key ? { Authorization: 'Bearer ' + key } : {};

/// The message if the server does not answer a request that is not repeated.
export const NO_ANSWER = 'The server does not answer. Try again.';

/// The URL of `path`, relative to the page, with parameters: an object or pairs. Undefined values are left out; the key
/// of the page is added.
export function address(path, parameters = {}) {
  const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters);
  const all = [...pairs, ['key', key]];
  const query = new URLSearchParams(all.filter(([, value]) => value !== undefined)).toString();
  return query ? path + '?' + query : path;
}

/// The path of a track.
export const trackPath = (id) => 'v1/tracks/' + encodeURIComponent(id);

/// The URL of a pin's photo: a `thumb`, one for the `screen`, or the `original`.
export const photoAddress = (pin, size) => address(`v1/pins/${encodeURIComponent(pin)}/photo`, { size });

/// The URL template of the tiles of a style, relative to the page, with the query of the server's template: the page
/// may be open under another host name than the one in TileJSON.
export function tileTemplate(style, template) {
  const query = template.indexOf('?');
  return 'tiles/' + encodeURIComponent(style) + '/{z}/{x}/{y}.png' + (query < 0 ? '' : template.slice(query));
}

/// The URL of one tile.
export const tileAddress = (template, { x, y, z }) => template.replace('{z}', z).replace('{x}', x).replace('{y}', y);

/// The JSON at a path. Throws an `Error` with the server's message and `status`, which is 0 if the server does not
/// answer.
export async function get(path, parameters, signal) {
  const url = address(path, parameters), early = requested.get(url);
  requested.delete(url);
  if (early && performance.now() - early.at < EARLY_MS) return early.answer;
  // The browser's cache is used only after the server has confirmed the ETag.
  const options = { cache: 'no-cache', signal };
  return valueOf(await request(address(path, parameters), options, 'The server does not answer; trying again.'));
}

/// The file at a path, as a `Blob`; throws as `get` does.
export async function getFile(path, parameters, signal) {
  return (await request(address(path, parameters), { signal }, NO_ANSWER)).blob();
}

/// An answer that came earlier may be out of date.
const EARLY_MS = 3000;
const requested = new Map();

/// Requests what `get` will be asked for soon, so that the first view does not wait for one answer after the other.
export function getEarly(path, parameters) {
  const answer = get(path, parameters);
  // It is `get` that reports an error.
  answer.catch(() => {});
  requested.set(address(path, parameters), { answer, at: performance.now() });
}

let isAllowed = false, isContributor = false;

/// Whether this page may change anything, as far as the server has said so.
export const mayChange = () => isAllowed;

/// Whether this page may add pins, vote and comment.
export const mayContribute = () => isContributor;

/// Takes what the server says about permissions: a list that has `change` in it, or not.
export function setPermissions(permissions = []) {
  isAllowed = permissions.includes('change');
  isContributor = permissions.includes('contribute');
}

/// Changes what is at a path, and returns the answer; throws as `get` does.
export const change = (method, path, value, parameters) =>
  sent(request(address(path, parameters), { method, body: value && JSON.stringify(value), headers: credentials }, NO_ANSWER));

/// Sends a file to a path, and returns the answer; throws as `get` does.
export const changeFile = (method, path, body, type) =>
  sent(request(address(path), { method, body, headers: { ...credentials, 'Content-Type': type } }, NO_ANSWER));

/// Opens a link with its secret, and the password if it needs one: the browser gets a cookie.
export const openShared = (secret, password) =>
  sent(request(address('v1/links/open'), { method: 'POST', body: JSON.stringify({ secret, password }) }, NO_ANSWER));

/// The value of the answer to a change.
async function sent(answer) {
  try {
    return valueOf(await answer);
  } catch (error) {
    if (error.status === 401 || error.status === 403) isAllowed = false;
    throw error;
  }
}

async function request(url, options, noAnswer) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw Object.assign(new Error(noAnswer), { status: 0, value: {} });
  }
  if (response.ok) return response;
  throw await errorOf(response);
}

/// The JSON of a response; an empty object if it has none.
const valueOf = (response) => response.json().catch(() => ({}));

/// The error of a response that is a refusal: the server's message, with its `status` and its JSON as `value`.
export async function errorOf(response) {
  const value = await valueOf(response);
  return Object.assign(new Error(refusal(response.status, value)), { status: response.status, value });
}

/// Why the server refuses a request, in its own words if it gives any.
export const refusal = (status, value) =>
  value.detail ? sentence(capitalized(value.detail)) : 'The server answers ' + status + '.';
