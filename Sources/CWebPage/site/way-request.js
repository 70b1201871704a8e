import { get } from './server.js';

/// The way that a state describes, as the server computes it: { state, legs, … }, or { state: 'failed', reason }. Throws
/// as `get` does.
export function requestWay({ venue, origin, destination, via, profile }, signal) {
  return get('v1/directions', {
    venue: venue || undefined, from: origin, to: destination, via: via || undefined, profile: profile || undefined,
  }, signal);
}
