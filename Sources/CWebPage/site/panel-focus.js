import { byId } from './document.js';
import { railButton } from './rail.js';

// Where the focus and the scroll position of panels go.

/// Lists are loaded after their panel is open: so long is waited until they are as long as they were.
const RESTORING_MS = 5000;

let opener = null, watched = null;
const scrolled = new Map();

/// Notes which button, outside of the panel, opens it: `clicked`, or the one that has the focus.
export function noteOpener(clicked = document.activeElement) {
  if (clicked && clicked !== document.body && !byId('side').contains(clicked)) opener = clicked;
}

/// Whether the focus is in the panel, or was in something that is no longer there.
export const hasFocus = () => document.activeElement === document.body || byId('side').contains(document.activeElement);

const canFocus = (target) => target?.isConnected && target.checkVisibility() && !target.disabled;

/// After the panel has been closed, gives the focus to what opened it; else to the button of the rail, or to the map.
export function returnFocus(panel) {
  [opener, railButton(panel), byId('map')].find(canFocus)?.focus({ preventScroll: true });
  opener = null;
}

/// Keeps how far a panel is scrolled, before it is left.
export function keepScroll(panel) {
  stopRestoring();
  if (panel) scrolled.set(panel, byId('side-body').scrollTop);
}

/// Scrolls a panel to where it was when it was left.
export function restoreScroll(panel) {
  const body = byId('side-body'), wanted = scrolled.get(panel) ?? 0;
  if (wanted === 0) return;
  const scroll = () => {
    body.scrollTop = wanted;
    if (body.scrollTop >= wanted - 1) stopRestoring();
  };
  const observer = new MutationObserver(scroll), timer = setTimeout(stopRestoring, RESTORING_MS);
  watched = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const kind of ['wheel', 'pointerdown', 'keydown']) body.removeEventListener(kind, stopRestoring);
  };
  // The reader has gone on.
  for (const kind of ['wheel', 'pointerdown', 'keydown']) body.addEventListener(kind, stopRestoring, { passive: true });
  observer.observe(body, { childList: true, subtree: true });
  scroll();
}

function stopRestoring() {
  watched?.();
  watched = null;
}
