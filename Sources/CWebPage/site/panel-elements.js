import { button, element } from './document.js';

// What several panels are made of.

/// A field of a form.
export const input = (type, more = {}) => Object.assign(element('input'), { type, ...more });

/// A choice of some options, [value, text].
export function select(options, value) {
  const made = element('select');
  made.append(...options.map(([name, text]) => new Option(text, name)));
  if (value !== undefined) made.value = value;
  return made;
}

/// A field or a choice with its label.
export const labelled = (text, control) => element('label', '', text, control);

/// A line of text that screen readers read whenever it changes.
export function statusLine() {
  const line = element('p', 'quiet');
  line.setAttribute('role', 'status');
  return line;
}

/// A list of names with their values: [name, value, …]. Those without a value are left out.
export function definitions(pairs) {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return element('dl', 'facts', ...shown.map(([name, ...values]) =>
    element('div', '', element('dt', '', name), element('dd', '', ...values))));
}

/// Asks a question in an element, with a button to confirm and one to cancel; Escape cancels, too. While the asynchronous
/// `confirm` runs, the buttons are disabled; it gets a line for its status.
export function ask(place, { question, yes, no, confirm, cancel }) {
  const yesButton = button(yes), noButton = button(no), status = statusLine();
  const setDisabled = (isDisabled) => { yesButton.disabled = noButton.disabled = isDisabled; };
  yesButton.className = 'danger';
  noButton.addEventListener('click', cancel);
  yesButton.addEventListener('click', async () => {
    setDisabled(true);
    await confirm(status);
    setDisabled(false);
  });
  const row = element('div', 'row', yesButton, noButton);
  const box = element('div', 'confirm', element('p', '', question), row, status);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Otherwise it would close the panel.
    event.preventDefault();
    cancel();
  });
  place.replaceChildren(box);
  noButton.focus();
}

/// Calls `call` when `later` has not been called again for so many milliseconds.
export function delayed(call, milliseconds) {
  let timer = 0;
  const cancel = () => clearTimeout(timer);
  return {
    later() {
      cancel();
      timer = setTimeout(call, milliseconds);
    },
    /// Calls it at once instead.
    now() {
      cancel();
      return call();
    },
    cancel,
  };
}
