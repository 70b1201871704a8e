import { state } from './state.js';
import { element, listButton } from './document.js';
import { get, mayContribute } from './server.js';
import { instantText, loadZone } from './calendar.js';
import { statusLine } from './panel-elements.js';
import { stopText } from './stop-names.js';
import { textOfStop } from './stops.js';

/// Ways of the history that are listed.
const SHOWN = 8;

/// The ways that the reader has asked for, in an element `box`; it is hidden if the server keeps none for this reader.
export function makeWays(actions) {
  const status = statusLine(), list = element('ul', 'tracks'), box = element('section', 'more', element('h3', '', 'Recent ways'), list, status);
  let runs = 0;
  box.hidden = true;

  async function line({ venue, from, to, via, profile, time }) {
    const [origin, destination] = [from, to].map(textOfStop), stops = (via ?? []).map(textOfStop);
    const names = await Promise.all([origin, destination].map((stop) => stopText(venue, stop)));
    const made = listButton(names.join(' → '), time ? instantText(time) : '');
    made.addEventListener('click', () => {
      Object.assign(state, {
        venue, origin, destination, via: stops.join(';'), profile: profile && profile !== 'walk' ? profile : '',
      });
      actions.open('directions');
    });
    return element('li', '', made);
  }

  async function load(venue) {
    const run = runs += 1;
    if (!mayContribute()) return;
    try {
      const [{ directions }] = await Promise.all([get('v1/directions'), loadZone().catch(() => null)]);
      const own = directions.filter((one) => !venue || one.venue === venue.id).slice(0, SHOWN);
      const lines = await Promise.all(own.map(line));
      if (run !== runs) return;
      list.replaceChildren(...lines);
      box.hidden = lines.length === 0;
    } catch (error) {
      // Who is no person to the server has no history.
      box.hidden = true;
    }
  }
  return { box, renew: load };
}
