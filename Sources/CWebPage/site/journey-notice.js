import { button } from './document.js';

// A message of the system at the end of a session, for those who look at something else while it runs.

const isPossible = () => 'Notification' in globalThis && isSecureContext;

/// A button that asks the browser for permission to tell the end of sessions; it is not shown if that was answered.
export function noticeButton() {
  const made = button('Tell me when I arrive');
  const show = () => { made.hidden = !isPossible() || Notification.permission !== 'default'; };
  made.addEventListener('click', async () => {
    await Notification.requestPermission();
    show();
  });
  show();
  return made;
}

/// Tells that a session has ended, if the reader has permitted it and does not see the page.
export function noticeEnd(journey, place) {
  if (!document.hidden || !isPossible() || Notification.permission !== 'granted') return;
  const text = place ? `You are in ${place}.` : 'Your session has ended.';
  try {
    const notice = new Notification(journey, { body: text, tag: 'tileserve-journey' });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
  } catch {
    // Some browsers of phones have them only in service workers.
  }
}
