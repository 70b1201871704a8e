import { element } from './document.js';
import { instantText } from './calendar.js';
import { pictureOf } from './journey-elements.js';

/// A reward of a list: with the time at which it was granted, or grey.
export function rewardItem({ hours, name, picture }, granted) {
  const isThere = Boolean(granted?.granted);
  return element('li', isThere ? 'granted' : 'missing', pictureOf(picture, 'medal'), element('b', '', name),
    element('span', 'quiet', isThere ? instantText(granted.granted) : `${hours} h of focus`));
}
