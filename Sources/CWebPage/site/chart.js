/// The size of a chart in its own units; the picture is stretched to the place that it has on the page.
const WIDTH = 600, HEIGHT = 100;

function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

/// The least and the greatest of some numbers, at least `span` apart; null if none is finite.
export function limits(values, span = 0) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return null;
  const missing = Math.max(0, span - (high - low));
  return [low - missing / 2, high + missing / 2];
}

/// The paths of a line and of the area below it, for x and y in 0…1; the line is interrupted where y is not finite.
export function paths(xs, ys, width = WIDTH, height = HEIGHT) {
  let line = '', area = '', run = [];
  const finish = () => {
    if (run.length > 0) {
      const text = run.map(([x, y]) => x + ' ' + y).join('L');
      // A single point is drawn as a short line: otherwise it would not be seen.
      line += 'M' + text + (run.length === 1 ? 'h1' : '');
      area += 'M' + run[0][0] + ' ' + height + 'L' + text + 'L' + run.at(-1)[0] + ' ' + height + 'Z';
    }
    run = [];
  };
  xs.forEach((x, index) => {
    if (!Number.isFinite(ys[index])) finish();
    else run.push([(x * width).toFixed(1), ((1 - ys[index]) * height).toFixed(1)]);
  });
  finish();
  return { line, area };
}

/// The index of the number of an ascending list that is nearest to another number.
export function nearest(xs, x) {
  let [low, high] = [0, xs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && x - xs[low - 1] <= xs[low] - x ? low - 1 : low;
}

/// The bars for some values, of which the greatest fills the height: [x, y, width, height] in 0…1. A value above 0 can
/// always be seen.
export function bars(values) {
  const most = Math.max(...values, 0), width = 1 / values.length;
  return values.map((value, index) => {
    const tall = value > 0 ? Math.max(0.02, value / most) : 0;
    return [index * width, 1 - tall, width, tall];
  });
}

/// The figure of a chart: its name, the text of its ends, and the picture.
function figureOf(name, ends, picture) {
  const figure = document.createElement('figure'), caption = document.createElement('figcaption');
  const text = document.createElement('span');
  figure.className = 'chart';
  text.textContent = ends;
  caption.append(name, ' ', text);
  figure.append(caption, picture);
  return figure;
}

const canvas = () => shape('svg', {
  viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true',
});

/// A chart of bars from left to right; `titles` are shown when the reader points at them.
export function barChart({ name, ends, values, titles }) {
  const picture = canvas();
  bars(values).forEach(([x, y, width, height], index) => {
    const bar = shape('rect', {
      class: 'bar', x: (x + width * 0.1) * WIDTH, y: y * HEIGHT, width: width * 0.8 * WIDTH, height: height * HEIGHT,
    });
    const title = shape('title', {});
    title.textContent = titles[index];
    bar.append(title);
    picture.append(bar);
  });
  return figureOf(name, ends, picture);
}

/// A calendar: columns of seven days, {shade, title}, or null where there is none. The shades are 0…4.
export function calendarChart({ name, ends, columns }) {
  const size = 10, picture = shape('svg', { viewBox: `0 0 ${columns.length * size} ${7 * size}`, 'aria-hidden': 'true' });
  columns.forEach((days, column) => days.forEach((day, row) => {
    if (!day) return;
    const square = shape('rect', {
      class: 'shade-' + day.shade, x: column * size + 0.5, y: row * size + 0.5, width: size - 1, height: size - 1, rx: 1.5,
    });
    const title = shape('title', {});
    title.textContent = day.title;
    square.append(title);
    picture.append(square);
  }));
  const figure = figureOf(name, ends, picture);
  figure.classList.add('calendar');
  return figure;
}

/// A chart of a line: `xs` from 0 to 1, ascending, and `ys`, of which `range` is shown; `text` writes a value. `point`
/// is called with the index that the reader points at, and with -1 when the pointer leaves. Screen readers do not read
/// the picture: the page has to show the values as text, too.
export function lineChart({ name, xs, ys, range, text, point }) {
  const [low, high] = range;
  const shares = ys.map((y) => high > low ? (y - low) / (high - low) : 0.5);
  const { line, area } = paths(xs, shares);
  const picture = canvas();
  const cursor = shape('path', { class: 'cursor', d: '', 'vector-effect': 'non-scaling-stroke' });
  picture.append(shape('path', { class: 'area', d: area }),
    shape('path', { class: 'line', d: line, 'vector-effect': 'non-scaling-stroke' }), cursor);
  picture.addEventListener('pointermove', (event) => {
    const box = picture.getBoundingClientRect();
    point(nearest(xs, (event.clientX - box.left) / box.width));
  });
  picture.addEventListener('pointerleave', () => point(-1));
  return {
    element: figureOf(name, text(low) + ' – ' + text(high), picture),
    /// Shows the cursor at an index; nowhere if it is -1.
    setCursor(index) {
      cursor.setAttribute('d', index < 0 ? '' : `M${(xs[index] * WIDTH).toFixed(1)} 0V${HEIGHT}`);
    },
  };
}
