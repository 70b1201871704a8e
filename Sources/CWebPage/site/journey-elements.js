import { button, element } from './document.js';
import { pictureAddress } from './journey-data.js';

// What the panels of journeys are made of.

const views = [['journeys', 'Travel'], ['passport', 'Passport'], ['focus', 'Time'], ['person', 'Profile']];

/// The buttons that lead to the other panels of journeys.
export function journeyTabs(panel) {
  const tabs = element('nav', 'segments', ...views.map(([name, text]) => {
    const tab = button(text);
    tab.dataset.panel = name;
    tab.setAttribute('aria-current', String(name === panel));
    // The panel that is open is not closed.
    tab.disabled = name === panel;
    return tab;
  }));
  tabs.setAttribute('aria-label', 'Journeys');
  return tabs;
}

/// A picture that the server names; nothing is shown if it is not there.
export function pictureOf(path, className = 'thumb', isEdited = false) {
  const image = Object.assign(element('img', className), { alt: '', loading: 'lazy', decoding: 'async' });
  image.addEventListener('error', () => { image.hidden = true; });
  if (path) image.src = pictureAddress(path, isEdited);
  else image.hidden = true;
  return image;
}

/// A bar of a share, 0…1.
export function progressBar(share, name) {
  const bar = Object.assign(element('progress'), { max: 1, value: Math.min(1, Math.max(0, share)) });
  bar.setAttribute('aria-label', name);
  return bar;
}

/// A card that opens something: a picture, a title, a line of facts, and more.
export function card(picture, title, facts, ...more) {
  const made = button(pictureOf(picture), element('span', 'words', element('b', '', title), element('span', '', facts)), ...more);
  made.className = 'card';
  return made;
}

/// A place that was reached, with its description and picture.
export function placeCard(place, ...more) {
  const credit = place.credit ? [element('p', 'quiet', place.credit)] : [];
  const tags = place.tags?.length > 0 ? [element('p', 'quiet', place.tags.join(' · '))] : [];
  return element('article', 'place-card', pictureOf(place.picture, 'photo'), element('h3', '', place.name),
    ...place.description ? [element('p', '', place.description)] : [], ...tags, ...credit, ...more);
}

/// A choice of a file; `take` is called with the chosen one.
export function fileButton(text, accept, take) {
  const field = Object.assign(element('input'), { type: 'file', accept, hidden: true }), made = button(text);
  made.addEventListener('click', () => field.click());
  field.addEventListener('change', () => {
    if (field.files[0]) take(field.files[0]);
    field.value = '';
  });
  return element('span', 'file', made, field);
}
