import { state } from './state.js';
import { element, listButton } from './document.js';
import { change, get, mayContribute } from './server.js';
import { instantText, loadZone } from './calendar.js';
import { statusLine } from './panel-elements.js';
import { counted } from './text.js';
import { signButton } from './stop-field.js';
import { stopText } from './stop-names.js';
import { textOfStop } from './stops.js';
import { profiles } from './venue-text.js';

/// Ways of the history that are listed.
const SHOWN = 8;

/// The ways that the reader has asked for, in an element `box`; it is hidden if the server keeps none for this reader.
export function makeWays(actions) {
  const status = statusLine(), list = element('ul', 'favourites');
  const box = element('section', 'more', element('h3', '', 'Recent ways'), list, status);
  let runs = 0, shownVenue = null;
  box.hidden = true;

  async function line(same) {
    const [{ venue, from, to, via, profile, time }] = same;
    const [origin, destination] = [from, to].map(textOfStop), stops = (via ?? []).map(textOfStop);
    const names = await Promise.all([origin, destination].map((stop) => stopText(venue, stop)));
    const about = [
      profile === 'walk' ? '' : profiles[profile], stops.length > 0 ? counted(stops.length, 'stop') : '', instantText(time),
    ];
    const made = listButton(names.join(' → '), about.filter(Boolean).join(' · '));
    made.addEventListener('click', () => {
      Object.assign(state, { venue, origin, destination, via: stops.join(';'), profile: profile === 'walk' ? '' : profile });
      actions.open('directions');
    });
    const remove = signButton('✕', `Remove the way ${names.join(' to ')} from the list`);
    remove.addEventListener('click', async () => {
      try {
        await Promise.all(same.map(({ id }) => change('DELETE', 'v1/directions/' + id)));
        await load(shownVenue);
        list.querySelector('button')?.focus();
      } catch (error) {
        status.textContent = error.message;
      }
    });
    return element('li', '', made, remove);
  }

  /// Ways that were asked for several times are one line.
  function alike(directions) {
    const lines = new Map();
    for (const one of directions) {
      const key = JSON.stringify([one.venue, one.from, one.to, one.via, one.profile]);
      lines.set(key, [...lines.get(key) ?? [], one]);
    }
    return [...lines.values()];
  }

  async function load(venue) {
    const run = runs += 1;
    shownVenue = venue;
    if (!mayContribute()) return;
    try {
      const [{ directions }] = await Promise.all([get('v1/directions'), loadZone().catch(() => null)]);
      const own = directions.filter((one) => !venue || one.venue === venue.id);
      const lines = await Promise.all(alike(own).slice(0, SHOWN).map(line));
      if (run !== runs) return;
      list.replaceChildren(...lines);
      box.hidden = lines.length === 0;
    } catch {
      // Who is no person to the server has no history.
      box.hidden = true;
    }
  }
  return { box, renew: load };
}
