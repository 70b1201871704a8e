import { known } from './state.js';
import { byId } from './document.js';
import { mayChange, mayContribute } from './server.js';

/// The button of the rail for panels that have none of their own.
const groups = {
  track: 'tracks', year: 'statistics', explorer: 'statistics', countries: 'statistics', stays: 'statistics', pin: 'pins',
  'add-pin': 'pins', place: 'venues', directions: 'venues', route: 'journeys', journey: 'journeys', passport: 'journeys',
  focus: 'journeys', person: 'journeys',
};

/// The button of the rail that belongs to a panel; null if there is none.
export const railButton = (panel) => byId('rail').querySelector(`[data-panel="${groups[panel] ?? panel}"]`);

/// Shows the buttons of what is there and of what the reader may do, and marks that of the open panel.
export function showRail(panel) {
  const isThere = {
    venues: known.hasVenues === true, journeys: mayContribute() || mayChange(), files: mayChange(),
    'add-pin': mayContribute() && !mayChange(), share: mayChange(),
  };
  for (const [name, isShown] of Object.entries(isThere)) byId('rail').querySelector(`[data-panel="${name}"]`).hidden = !isShown;
  byId('rail').querySelector('[aria-current]')?.removeAttribute('aria-current');
  const current = railButton(panel);
  current?.setAttribute('aria-current', 'true');
  // On phones, the rail can be wider than the screen.
  current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
