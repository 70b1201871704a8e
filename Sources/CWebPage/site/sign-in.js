import { button, byId, element } from './document.js';

/// Says that a token is needed, with a button that leads to the field for it. `what` is what only the owner can do.
export function signInHint(what, actions) {
  const link = button('Sign in');
  link.addEventListener('click', async () => {
    // On a narrow screen, the panel covers the form.
    await actions.open('');
    byId('sign-in').dataset.wanted = '1';
    byId('sign-in').hidden = false;
    byId('token').focus();
  });
  const text = `Only the owner of the library can ${what}. Sign in with the owner’s token to do so.`;
  return element('div', 'filters', element('p', 'quiet', text), link);
}
