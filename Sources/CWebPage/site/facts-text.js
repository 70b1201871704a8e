import { dayIn, knownZone } from './calendar.js';
import { dateText } from './days.js';
import { distanceText, durationText } from './text.js';

/// An instant, as a date or in milliseconds, in the library's time zone.
export const instantText = (instant) => new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium', timeStyle: 'short', timeZone: knownZone(),
}).format(new Date(instant));

/// The time of day of an instant in the library's time zone, with seconds.
export const timeText = (instant) => new Intl.DateTimeFormat(undefined, {
  timeStyle: 'medium', timeZone: knownZone(),
}).format(new Date(instant));

/// Date, distance, duration and activity of a track in one line.
export function lineOfFacts(track) {
  return [
    track.start ? dateText(dayIn(Date.parse(track.start))) : 'no time',
    track.points > 1 ? distanceText(track.metres) : '1 point',
    track.seconds > 0 ? durationText(track.seconds * 1000) : '',
    track.activity ?? '',
  ].filter(Boolean).join(' · ');
}
