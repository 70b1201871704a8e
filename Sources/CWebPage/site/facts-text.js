import { dayIn } from './calendar.js';
import { dateText } from './days.js';
import { distanceText, durationText } from './text.js';

/// Where a track begins and ends, by the names of the nearest places; '' if they are not known.
export function routeText({ from, to, loop } = {}) {
  if (!from && !to) return '';
  if (loop) return 'Loop from ' + (from ?? to);
  if (from === to) return 'In ' + from;
  if (!from) return 'To ' + to;
  return to ? from + ' → ' + to : 'From ' + from;
}

/// Date, distance, duration, activity and places of a track in one line.
export function lineOfFacts(track) {
  return [
    track.start ? dateText(dayIn(Date.parse(track.start))) : 'no time',
    track.points > 1 ? distanceText(track.metres) : '1 point',
    track.seconds > 0 ? durationText(track.seconds * 1000) : '',
    track.activity ?? '',
    routeText(track.places),
  ].filter(Boolean).join(' · ');
}
