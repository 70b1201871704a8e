/// Screens on which the panels take the whole width, and screens on which the timeline is folded at first; the style sheets
/// have the same limits.
export const NARROW_SCREEN = '(max-width: 560px)';
export const SMALL_SCREEN = '(max-width: 560px), (max-height: 560px)';

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

/// A button with a title and a line of facts, for lists.
export const listButton = (title, facts) => button(element('b', '', title), element('span', '', facts));

/// A mark with a colour, for legends.
export function swatch(color, title = '') {
  const made = element('i');
  made.style.background = color;
  if (title) made.title = title;
  return made;
}

/// The value of a colour of the style sheet, such as `--accent`.
export const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

/// Clears a canvas, and fits it to its place on the page: its drawing context, which counts in pixels of the page, and
/// its width and height in them; null if it is not shown.
export function clearCanvas(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  if (width < 1) return null;
  const ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  context.scale(ratio, ratio);
  return { context, width, height };
}

/// Copies a text; resolves with whether that was possible.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS, pages of other machines cannot use the clipboard, but browsers still copy what is selected.
    const field = Object.assign(element('textarea'), { value: text });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    return isCopied;
  }
}

// What covers the map

/// The elements that cover its bottom; panels push it instead.
export const COVERS = ['player', 'timeline'];

/// The pixels at the bottom of the map that are covered.
export function coveredBelow() {
  const { bottom } = byId('map').getBoundingClientRect();
  const tops = COVERS.map((id) => byId(id).getBoundingClientRect()).filter(({ width }) => width > 0).map(({ top }) => top);
  return Math.max(0, ...tops.map((top) => bottom - top));
}

/// What the timeline covers, folded on small screens and open on others: it comes later than the first view.
const TIMELINE_PIXELS = [44, 106];

/// The pixels that the timeline will cover.
export const timelinePixels = () => TIMELINE_PIXELS[matchMedia(SMALL_SCREEN).matches ? 0 : 1];

/// The pixels at the bottom of the map that are covered, or will be when the timeline is there.
export const coveredSoon = () => Math.max(coveredBelow(), byId('timeline').hidden ? timelinePixels() : 0);

/// The pixels at the bottom of the map that are covered, if they are so many that they cover its middle; else 0.
export function hiddenBelow() {
  const bottom = coveredBelow();
  return bottom >= byId('map').clientHeight / 2 ? bottom : 0;
}

// Messages

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
