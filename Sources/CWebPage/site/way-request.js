import { change, get, mayContribute } from './server.js';
import { wayRequest } from './stops.js';

/// How long one request waits for a way that is being planned.
const WAIT_SECONDS = 30;

const isWaiting = ({ state }) => state === 'queued' || state === 'running';

let isAsked = false;

/// Says that the reader asks for the next way: it is not one that a link or *Back* shows again.
export function askForWay() {
  isAsked = true;
}

/// Whether the reader has asked for the way that is requested next; then not for the one after it.
export function takeQuestion() {
  const answer = isAsked;
  isAsked = false;
  return answer;
}

/// The way that a state describes, as the server plans it: { id, state, legs, … }, or { state: 'failed', reason }. One that
/// the reader `asks` for becomes a part of their history. Throws as `get` does.
export async function requestWay(wanted, asks, signal) {
  const { venue, origin, destination, via, profile } = wanted;
  let way = asks && mayContribute() ? await change('POST', 'v1/directions', wayRequest(wanted)) : await get('v1/directions', {
    venue: venue || undefined, from: origin, to: destination, via: via || undefined, profile: profile || undefined,
  }, signal);
  // The first way through a venue takes some seconds.
  while (isWaiting(way) && !signal.aborted) way = await get('v1/directions/' + way.id, { wait: WAIT_SECONDS }, signal);
  return way;
}
