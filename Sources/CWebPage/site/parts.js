import { byId } from './document.js';

/// A panel that shows a part of the page that is always there: its controls show the state also while it is closed.
export const partPanel = (id, title) => ({
  open(body) {
    body.append(byId(id));
    return { title, renew() {}, close: () => byId('parts').append(byId(id)) };
  },
});
