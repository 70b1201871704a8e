import { known } from './state.js';
import { address, change, changeFile, get, mayChange, mayContribute } from './server.js';

// Routes, journeys and persons of the server.

const part = encodeURIComponent;
const routePath = (id) => 'v1/routes/' + part(id);
const journeyPath = (id) => 'v1/journeys/' + part(id);
const personPath = (name) => 'v1/persons/' + part(name);
/// The name of the owner as a person.
const OWNER = 'owner';

let versions = 0;

/// The URL of a picture that the server names, anew after this page has changed one; with `isEdited`, also of what is locked.
export const pictureAddress = (path, isEdited = false) =>
  address(path.replace(/^\//, ''), { edit: isEdited ? '1' : undefined, theme: known.theme || undefined, v: versions || undefined });

/// Whether the reader can have journeys.
export const isPerson = () => mayContribute() || mayChange();

export const loadRoutes = async () => (await get('v1/routes')).routes;
export const loadRoute = (id, isEdited = false) => get(routePath(id), { edit: isEdited ? '1' : undefined });
export const loadJourneys = async () => (await get('v1/journeys')).journeys;
export const loadJourney = (id) => get(journeyPath(id));
export const loadSessions = async (id) => (await get(journeyPath(id) + '/sessions')).sessions;
export const loadPersons = async () => (await get('v1/persons')).persons;
export const loadRewards = async () => (await get('v1/rewards')).rewards;
export const loadFocus = (by) => get('v1/journeys/stats', { by });

/// The URL of the statistics of focus time as a file.
export const focusAddress = (ending, by) => address('v1/journeys/stats.' + ending, { by });
/// The URL of a route as a file.
export const routeAddress = (id, ending) => address(routePath(id) + '.' + ending);
/// The URL of everything that a person has, as a file.
export const personAddress = (name) => address(personPath(name) + '/export.sqlite');
export const livePath = (id) => journeyPath(id) + '/live';

/// The reader among persons: the owner is told all of them.
export const ownPerson = (persons) => persons.find(({ name }) => name === OWNER) ?? persons[0];

/// Makes, changes and removes routes and their places.
export const addRoute = (file, type) => changeFile('POST', 'v1/routes', file, type);
export const changeRoute = (id, value) => change('PATCH', routePath(id), value);
export const removeRoute = (id) => change('DELETE', routePath(id));
export const addPlace = (id, value) => change('POST', routePath(id) + '/places', value);
export const changePlace = (id, place, value) => change('PATCH', `${routePath(id)}/places/${part(place)}`, value);
export const removePlace = (id, place) => change('DELETE', `${routePath(id)}/places/${part(place)}`);

/// Begins, changes and ends journeys and their sessions.
export const addJourney = (value) => change('POST', 'v1/journeys', value);
export const changeJourney = (id, value) => change('PATCH', journeyPath(id), value);
export const removeJourney = (id) => change('DELETE', journeyPath(id));
export const addSession = (id, value) => change('POST', journeyPath(id) + '/sessions', value);
export const cancelSession = (id, session) => change('DELETE', `${journeyPath(id)}/sessions/${part(session)}`);
export const changePerson = (name, value) => change('PATCH', personPath(name), value);

/// Sets or removes the picture at a path that the server names; removed if there is no file.
export async function setPicture(path, file) {
  const relative = path.replace(/^\//, '');
  if (file) await changeFile('PUT', relative, file, file.type || 'application/octet-stream');
  else await change('DELETE', relative);
  versions = Date.now();
}
