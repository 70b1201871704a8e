import { get } from './server.js';

/// The name of the owner as a person.
const OWNER = 'owner';

/// Whether somebody else than the owner may vote and comment.
export async function hasMembers() {
  const { persons } = await get('v1/persons').catch(() => ({ persons: [] }));
  return persons.some(({ name }) => name !== OWNER);
}
