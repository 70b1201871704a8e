/// Degrees for a pixel of dragging, and for a press of a key.
const TURN_DEGREES = 0.4, TILT_DEGREES = 0.25, KEY_DEGREES = 5;
const KEY_ZOOM = 1.25, KEY_PIXELS = 40, WHEEL_FACTOR = 0.0015;
/// The wheel counts in pixels, in lines, or in pages.
const WHEEL_PIXELS = [1, 16, 400];
/// Two fingers count as a pinch or a turn when they have moved so many pixels.
const SLOP_PIXELS = 2;

/// What two fingers do when they move from `before` to `now`, each two points [x, y]: how much closer everything comes, around
/// their middle, the turn in degrees, and how far their middle moves.
export function pinch(before, now) {
  const middle = ([[x, y], [left, top]]) => [(x + left) / 2, (y + top) / 2];
  const span = ([[x, y], [left, top]]) => [left - x, top - y];
  const [old, fresh] = [span(before), span(now)], [from, to] = [middle(before), middle(now)];
  const turn = (Math.atan2(fresh[1], fresh[0]) - Math.atan2(old[1], old[0])) * 180 / Math.PI;
  return {
    zoom: Math.max(1, Math.hypot(...fresh)) / Math.max(1, Math.hypot(...old)), around: to,
    turn: ((turn + 180) % 360 + 360) % 360 - 180, moved: [to[0] - from[0], to[1] - from[1]],
  };
}

/// Lets the reader turn, tilt, move and zoom what a canvas shows. `act` has `turn(degrees, upwards)`, `zoom(factor, at)`,
/// `move(right, down)`, `home()`, `point(x, y)`, which is where the pointer rests, and `leave()`.
export function listenToGestures(canvas, act) {
  const pointers = new Map();
  let hasStarted = false;
  const at = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 2) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    hasStarted = false;
    act.leave();
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId), now = at(event);
    if (!before) {
      if (event.pointerType === 'mouse') act.point(...now);
      return;
    }
    const moved = [now[0] - before[0], now[1] - before[1]];
    if (pointers.size === 1) {
      if (event.shiftKey || event.buttons === 2) act.move(...moved);
      // The ground follows the pointer, and is pressed down by it.
      else act.turn(-moved[0] * TURN_DEGREES, moved[1] * TILT_DEGREES);
    } else if (pointers.size === 2) {
      if (!hasStarted && Math.hypot(...moved) < SLOP_PIXELS) return;
      hasStarted = true;
      const others = [...pointers].map(([id, place]) => id === event.pointerId ? now : place);
      const { zoom, around, turn, moved: middle } = pinch([...pointers.values()], others);
      act.zoom(zoom, around);
      act.turn(-turn, middle[1] * 2 * TILT_DEGREES);
      act.move(middle[0], 0);
    }
    pointers.set(event.pointerId, now);
  });
  for (const kind of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener('pointerleave', () => { if (pointers.size === 0) act.leave(); });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('dblclick', act.home);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    act.zoom(Math.exp(-event.deltaY * WHEEL_PIXELS[event.deltaMode] * WHEEL_FACTOR), at(event));
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const isZoom = { '+': KEY_ZOOM, '=': KEY_ZOOM, '-': 1 / KEY_ZOOM }[event.key];
    if (arrows && event.shiftKey) act.move(arrows[0] * KEY_PIXELS, arrows[1] * KEY_PIXELS);
    else if (arrows) act.turn(arrows[0] * KEY_DEGREES, arrows[1] * KEY_DEGREES);
    else if (isZoom) act.zoom(isZoom, null);
    else if (event.key === 'Home') act.home();
    else return;
    event.preventDefault();
  });
}
