import { byId, setNotice } from './document.js';
import { openShared } from './server.js';

/// The secret of a link, as the server makes it.
const SECRET = /^#[A-Za-z0-9_-]{43}$/;

/// What names the preview of a link, for chat programs.
const PREVIEW = /^\?p=[A-Za-z0-9_-]{16}$/;

/// Whether the page is that of a link.
const isShared = () => /\/s\/$/.test(location.pathname);

/// Asks for the password of a link until the server takes it.
function askPassword(secret, message, opened) {
  const form = byId('link-password'), field = byId('password');
  setNotice('link', message);
  form.hidden = false;
  field.focus();
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await openShared(secret, field.value);
      setNotice('link', '');
      form.hidden = true;
      opened();
    } catch (error) {
      setNotice('link', error.message);
      field.select();
    }
  };
}

/// Opens the link whose secret is in the URL of the page, takes the secret out of the URL and calls `opened`; at once on other
/// pages. A browser that has opened the link before needs no secret.
export async function openLinkOfPage(opened) {
  if (!isShared() || !SECRET.test(location.hash)) return opened();
  const secret = location.hash.slice(1);
  // Neither the history nor a bookmark nor a picture of the screen is to have it.
  history.replaceState(null, '', location.pathname + location.search.replace(PREVIEW, ''));
  try {
    await openShared(secret);
  } catch (error) {
    if (error.status === 403) return askPassword(secret, 'This link needs a password.', opened);
    setNotice('link', error.message);
    return undefined;
  }
  return opened();
}
