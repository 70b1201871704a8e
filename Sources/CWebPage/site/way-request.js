import { change, get, mayContribute } from './server.js';
import { wayRequest } from './stops.js';

/// How long one request waits for a way that is being planned.
const WAIT_SECONDS = 30;

const isWaiting = ({ state }) => state === 'queued' || state === 'running';

let isAsked = false;

/// Makes the next way a part of the reader's history: one that they ask for, not one that a link or *Back* shows again.
export function askForWay() {
  isAsked = true;
}

/// The way that a state describes, as the server plans it: { id, state, legs, … }, or { state: 'failed', reason }. Throws
/// as `get` does.
export async function requestWay(wanted, signal) {
  const { venue, origin, destination, via, profile } = wanted, isKept = isAsked && mayContribute();
  isAsked = false;
  let way = isKept ? await change('POST', 'v1/directions', wayRequest(wanted)) : await get('v1/directions', {
    venue: venue || undefined, from: origin, to: destination, via: via || undefined, profile: profile || undefined,
  }, signal);
  // The first way through a venue takes some seconds.
  while (isWaiting(way) && !signal.aborted) way = await get('v1/directions/' + way.id, { wait: WAIT_SECONDS }, signal);
  return way;
}
