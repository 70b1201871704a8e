import { button, element } from './document.js';
import { instantText } from './calendar.js';
import { distanceText } from './text.js';
import { changeJourney } from './journey-data.js';
import { takeJourney } from './journey-travel.js';
import { pictureOf, placeCard } from './journey-elements.js';
import { spanText } from './journey-text.js';

/// A card with a button that removes it.
function eventCard(kind, close, ...parts) {
  const made = element('article', 'event-card ' + kind, ...parts);
  const done = button(close);
  done.addEventListener('click', () => made.remove());
  made.append(element('div', 'row', done));
  made.tabIndex = -1;
  return made;
}

/// A place that is unlocked.
export function unlockCard(place, title) {
  const made = eventCard('unlocked', 'Go on', element('p', 'quiet', title), placeCard(place));
  made.dataset.place = place.id;
  return made;
}

/// A reward that was granted and has not been seen.
export function rewardCard(journey, reward) {
  const made = element('article', 'event-card reward', element('p', 'quiet', 'A reward'), pictureOf(reward.picture, 'medal'),
    element('h3', '', reward.name), element('p', '', `${spanText(reward.hours * 3600)} of focus`
      + (reward.granted ? `, ${instantText(reward.granted)}` : '')));
  const seen = button('Thank you'), status = element('p', 'quiet');
  seen.addEventListener('click', async () => {
    seen.disabled = true;
    try {
      takeJourney(await changeJourney(journey.id, { seen: [reward.hours] }));
      made.remove();
    } catch (error) {
      status.textContent = error.message;
      seen.disabled = false;
    }
  });
  made.append(element('div', 'row', seen), status);
  made.dataset.hours = reward.hours;
  return made;
}

/// The end of a route.
export const doneCard = (journey) => eventCard('finished', 'Wonderful', element('p', 'quiet', 'The end of the route'),
  element('h3', '', journey.name), element('p', '', `You have travelled all of it: ${distanceText(journey.metres)}.`));
