import { capitalized, distanceText, durationText, heightText } from './text.js';

/// Categories that people look for, in the order of their buttons: a name, the text, and the categories of IMDF without
/// their refinement.
const searched = [
  ['restroom', 'Restrooms', ['restroom', 'toilets']],
  ['lift', 'Lifts', ['elevator']],
  ['stairs', 'Stairs', ['stairs']],
  ['escalator', 'Escalators', ['escalator']],
  ['food', 'Food', ['foodservice', 'restaurant', 'cafe', 'bar', 'fastfood', 'foodcourt', 'coffee', 'bakery', 'cafeteria']],
  ['shop', 'Shops', ['shop', 'retail', 'shopping', 'supermarket', 'kiosk', 'newsstand']],
  ['information', 'Information', ['information', 'informationdesk', 'helpdesk', 'reception']],
  ['ticket', 'Tickets', ['ticketing', 'ticketsales', 'checkin']],
  ['platform', 'Platforms', ['platform', 'gate', 'boardinggate']],
  ['meeting', 'Meeting rooms', ['conferenceroom', 'meetingroom', 'auditorium', 'classroom']],
  ['money', 'Money', ['atm', 'bank', 'currencyexchange']],
  ['help', 'First aid', ['firstaid', 'aed', 'defibrillator', 'medicalroom', 'nursingroom']],
  ['parking', 'Parking', ['parking', 'bicycleparking', 'carpark']],
];
/// Words for categories that are not theirs in plain text.
const words = {
  elevator: 'Lift', restroom: 'Restroom', foodservice: 'Food', nonpublic: 'Not public', conferenceroom: 'Meeting room',
  meetingroom: 'Meeting room', opentobelow: 'Open to below', waitingroom: 'Waiting room', firstaid: 'First aid',
  movietheater: 'Cinema', serverroom: 'Server room', ticketing: 'Tickets', unenclosedarea: 'Open area', atm: 'Cash machine',
  unspecified: 'Place', informationdesk: 'Information desk', walkway: 'Corridor', movingwalkway: 'Moving walkway',
  boardinggate: 'Gate', smokingarea: 'Smoking area', mothersroom: 'Nursing room',
};

/// A category of IMDF without its refinement: `restroom` of `restroom.male`.
const baseOf = (category) => category.split('.')[0];

/// A category in words: `Restroom (wheelchair)` for `restroom.wheelchair`.
export function categoryText(category) {
  const [base, ...more] = category.split('.');
  const text = words[base] ?? capitalized(base.replaceAll('_', ' '));
  return text + (more.length > 0 ? ` (${more.join(', ').replaceAll('_', ' ')})` : '');
}

/// The categories that people look for and that places have: { name, text, bases, count }.
export function categoriesOf(places) {
  const counts = new Map();
  for (const { category } of places) counts.set(baseOf(category), (counts.get(baseOf(category)) ?? 0) + 1);
  return searched.map(([name, text, bases]) => ({
    name, text, bases: bases.filter((base) => counts.has(base)),
    count: bases.reduce((sum, base) => sum + (counts.get(base) ?? 0), 0),
  })).filter(({ count }) => count > 0);
}

/// A test for places of a category that people look for, given by its name; all places pass without one.
export function categoryFilter(name) {
  const bases = searched.find(([other]) => other === name)?.[2];
  return ({ category }) => !bases || bases.includes(baseOf(category));
}

/// Whether a place is of a category that people look for.
export const isSearched = ({ category }) => searched.some(([, , bases]) => bases.includes(baseOf(category)));

/// What a place is called: its name, or its category if that is all that is known.
export function placeTitle({ name, category }) {
  const isCategory = !name || name.toLowerCase() === category.replaceAll(/[._]/g, ' ').toLowerCase();
  return isCategory ? categoryText(category) : name;
}

/// Places on a level that are nearer to each other than this, in metres, and have the same name are one: a room, and what is
/// in it.
const SAME_METRES = 6, METRES_PER_DEGREE = 111_200;

/// The metres between two places of { lon, lat }, which are near to each other.
export const metresBetween = (one, other) => Math.hypot(
  (one.lon - other.lon) * Math.cos(one.lat * Math.PI / 180), one.lat - other.lat) * METRES_PER_DEGREE;

/// Places without those that say again what another one says: plans often have a lift as a room and as a symbol in it.
export function distinctPlaces(places) {
  const kept = new Map();
  return places.filter((place) => {
    const key = [place.level, placeTitle(place)].join('|'), others = kept.get(key) ?? [];
    if (others.some((other) => metresBetween(place, other) < SAME_METRES)) return false;
    kept.set(key, [...others, place]);
    return true;
  });
}

// Floors

/// Letters of a short name that fit on the switch between floors; some plans have whole names there.
const SHORT = 4;

/// The floors of a venue from the top down, each { ordinal, shortName, name, levels }: buildings may have levels of their
/// own with the same ordinal.
export function floorsOf(venue) {
  const floors = new Map();
  for (const level of venue.levels) {
    if (!floors.has(level.ordinal)) floors.set(level.ordinal, []);
    floors.get(level.ordinal).push(level);
  }
  const common = (levels, name) => {
    const texts = [...new Set(levels.map((level) => level[name]).filter(Boolean))];
    return texts.length === 1 ? texts[0] : '';
  };
  return [...floors].sort(([one], [other]) => other - one).map(([ordinal, levels]) => {
    const given = common(levels, 'shortName'), isShort = given && given.length <= SHORT;
    const shortName = isShort ? given : String(ordinal);
    return { ordinal, levels, shortName, name: common(levels, 'name') || (isShort || !given ? 'Level ' + shortName : given) };
  });
}

/// The floor that is shown if none was chosen: the one nearest to the ground, the higher one of two.
export function groundFloor(floors) {
  const distance = ({ ordinal }) => Math.abs(ordinal) * 2 + (ordinal < 0 ? 1 : 0);
  return floors.reduce((best, floor) => !best || distance(floor) < distance(best) ? floor : best, null);
}

/// The floor with a level; undefined if there is none.
export const floorWith = (floors, level) => floors.find(({ levels }) => levels.some(({ id }) => id === level));

/// Where a place is: its level, and its building if the venue has several.
export function whereText(venue, { level, building }) {
  const floor = floorWith(floorsOf(venue), level);
  const own = venue.levels.find(({ id }) => id === level);
  const name = own?.name || floor?.name || '';
  const house = venue.buildings.length > 1 ? venue.buildings.find(({ id }) => id === building)?.name : '';
  return [name, house].filter(Boolean).join(', ');
}

/// Whether the category of a place says nothing about it.
export const isGeneral = ({ category }) => ['room', 'unspecified'].includes(category);

/// One line about a place: its category, if its name does not say it, and where it is.
export function placeLine(venue, place) {
  const category = categoryText(place.category), isSaid = placeTitle(place) === category;
  return [isSaid || isGeneral(place) ? '' : category, whereText(venue, place)].filter(Boolean).join(' · ');
}

/// A link to a place of a venue, for a code at its door; `page` is the address of the page.
export const placeLink = (page, venue, place) => `${page}?${new URLSearchParams({ venue, place })}`;

// Ways

/// The profiles of a way.
export const profiles = { walk: 'On foot', wheelchair: 'Wheelchair', nolift: 'Without lifts' };

/// A time on foot, rounded up: seconds, or minutes.
const footText = (seconds) => seconds < 60 ? Math.ceil(seconds) + ' s' : durationText(Math.ceil(seconds / 60) * 60_000);

/// How long and how far a way is, such as `2 min, 140 m`.
export const wayText = ({ seconds, metres }) => [footText(seconds), distanceText(metres)].join(', ');

/// An instruction of the server, whose lengths are in metres, in the reader's units.
export const instructionText = (instruction) =>
  instruction.replace(/\b(\d+) m\b/g, (text, metres) => heightText(Number(metres)));

/// Where somebody is on a way, in words.
export function progressText({ instruction, metres, metresLeft, secondsLeft, offRoute, arrived }) {
  if (arrived) return 'You have arrived.';
  if (offRoute) return 'You are not on this way.';
  return `In ${distanceText(metres)}: ${instructionText(instruction)} ${wayText({ seconds: secondsLeft, metres: metresLeft })} left.`;
}

/// One line about a leg of a way: its length, its time, its floor and who may go there.
export function legLine(venue, { level, how, metres, seconds, access }) {
  const floor = level ? floorWith(floorsOf(venue), level)?.name ?? '' : 'Outdoors';
  return [
    how === 'walk' || how === 'outdoors' ? distanceText(metres) : footText(seconds), floor,
    access ? 'access: ' + access : '',
  ].filter(Boolean).join(' · ');
}

/// The arrow for a leg: stairs, lifts and escalators go up or down, others have a direction in their instruction.
export function legArrow({ how, instruction }) {
  if (how !== 'walk' && how !== 'outdoors') return / down /.test(instruction) ? '↓' : '↑';
  const found = [
    [/^Turn round/, '↶'], [/sharp left/, '↙'], [/sharp right/, '↘'], [/^Bear left/, '↖'], [/^Bear right/, '↗'],
    [/^Turn left/, '←'], [/^Turn right/, '→'], [/^Enter/, '◉'],
  ].find(([expression]) => expression.test(instruction));
  return found ? found[1] : '↑';
}

// Venues in view

const contains = ([west, south, east, north], [x, y]) => x >= west && x <= east && y >= south && y <= north;
const meets = (one, other) => one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
const middleOf = ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2];

/// The venues in a box of the map.
export const venuesIn = (venues, box) => venues.filter(({ bbox }) => meets(bbox, box));

/// The venue that a box of the map shows: the one at its middle, else the preferred one, else the one that is nearest to
/// its middle; null if there is none.
export function venueInView(venues, box, preferred) {
  const found = venuesIn(venues, box), middle = middleOf(box);
  const atMiddle = found.filter(({ bbox }) => contains(bbox, middle));
  const isPreferred = ({ id }) => id === preferred;
  const distance = ({ bbox }) => {
    const [lon, lat] = middleOf(bbox);
    return metresBetween({ lon, lat }, { lon: middle[0], lat: middle[1] });
  };
  return atMiddle.find(isPreferred) ?? atMiddle[0] ?? found.find(isPreferred)
    ?? found.reduce((best, venue) => !best || distance(venue) < distance(best) ? venue : best, null);
}

/// Whether a box has a point of { lon, lat }.
export const isWithin = (box, { lon, lat }) => contains(box, [lon, lat]);
