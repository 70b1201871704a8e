import { button, SMALL_SCREEN } from './document.js';

/// Where it is kept between visits whether the timeline is folded.
const KEPT = 'tileserve.timeline';

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    // Storage can be forbidden.
    return null;
  }
}

/// A button that folds the timeline to one line, and unfolds it.
export function makeFold(timeline) {
  const made = button('');
  const show = (isFolded) => {
    timeline.toggleAttribute('data-folded', isFolded);
    made.setAttribute('aria-expanded', String(!isFolded));
    made.textContent = isFolded ? '▴' : '▾';
    made.title = isFolded ? 'Unfold the timeline' : 'Fold the timeline';
    made.setAttribute('aria-label', 'Timeline');
  };
  made.className = 'fold';
  made.addEventListener('click', () => {
    const isFolded = !timeline.hasAttribute('data-folded');
    show(isFolded);
    try {
      localStorage.setItem(KEPT, isFolded ? 'folded' : 'open');
    } catch {
      // The choice holds until the page is left.
    }
  });
  show(kept() === null ? matchMedia(SMALL_SCREEN).matches : kept() === 'folded');
  return made;
}
