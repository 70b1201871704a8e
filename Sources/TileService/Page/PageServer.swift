extension Page {
    /// How the server is asked: every address that the page makes is made here.
    static let serverScript = #"""
        /// What the page was opened with, where it needs a key.
        const key = new URLSearchParams(location.search).get('key') ?? undefined;

        /// Headers of what changes anything, where the page was opened with a key: there it is not taken from the address.
        export const credentials = key ? { Authorization: 'Bearer ' + key } : {};

        /// The address of `path`, relative to the page, with parameters: an object or pairs; those that are undefined are
        /// left out. The page's key goes with them.
        export function address(path, parameters = {}) {
          const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters);
          const all = [...pairs, ['key', key]];
          const query = new URLSearchParams(all.filter(([, value]) => value !== undefined)).toString();
          return query ? path + '?' + query : path;
        }

        /// The JSON at a path. Throws an `Error` with the server's own words and `status`, or 0 where none answers.
        export async function get(path, parameters) {
          let response;
          try {
            response = await fetch(address(path, parameters), { cache: 'no-cache' });
          } catch {
            throw Object.assign(new Error('The server does not answer; trying again.'), { status: 0, value: {} });
          }
          const value = await response.json().catch(() => ({}));
          if (response.ok) return value;
          throw Object.assign(new Error(refusal(response.status, value)), { status: response.status, value });
        }

        /// Why the server does not do it, in its own words where it says any.
        export const refusal = (status, value) =>
          value.detail ? sentenceOf(value.detail) : 'The server answers ' + status + '.';

        const sentenceOf = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

        """#
}
