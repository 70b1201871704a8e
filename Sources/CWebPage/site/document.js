/// The element with an id.
export const byId = (id) => document.getElementById(id);

/// A new element with a class and children.
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/// A new button.
export function button(...children) {
  const made = element('button', '', ...children);
  made.type = 'button';
  return made;
}

const notices = new Map();

/// Shows a message, one per source, until the source shows another one or ''.
export function setNotice(source, text) {
  if (text) notices.set(source, text);
  else notices.delete(source);
  const whole = [...new Set(notices.values())].join(' ');
  const notice = byId('notice');
  notice.hidden = !whole;
  if (notice.textContent !== whole) notice.textContent = whole;
}

/// Shows an error of a request. That the server does not answer is shown as the message of the source `server`, which
/// disappears when it answers again.
export function showError(source, error) {
  setNotice(source, error.status === 0 ? '' : error.message);
  if (error.status === 0) setNotice('server', error.message);
}
