import { known, remember, state } from './state.js';
import { byId, element } from './document.js';
import { address, get } from './server.js';
import { loadZone, timeText } from './calendar.js';
import { makeCamera, USUAL_VIEW } from './scene-camera.js';
import { groundRegion, metresFrom, placeAt } from './scene-map.js';
import { cornerAt, headAt, sceneCorners, scenePosts } from './scene-order.js';
import { makeLayers } from './scene-layers.js';
import { projectCorners } from './scene-solid.js';
import { makeGround } from './scene-ground.js';
import { listenToGestures } from './scene-gestures.js';
import { makeSceneControls } from './scene-controls.js';
import { heights, pictureParameters, viewText } from './scene-text.js';
import { joinCursor } from './track-cursor.js';

/// The ground is loaded more finely when the view has rested for this time.
const REST_MS = 350;
/// The pointer finds a corner that is at most so many pixels away.
const REACH_PIXELS = 24;
/// The speed of the turntable, in degrees a second.
const TURNTABLE = 15;

let scene = null;

/// Shows the 3-D view of the selected tracks, or ends it, as the state says.
export function showScene(actions) {
  const isWanted = Boolean(state.scene && state.track);
  document.documentElement.toggleAttribute('data-scene', isWanted);
  byId('map').inert = isWanted;
  if (isWanted) {
    scene ??= openScene(actions);
    scene.renew();
  } else if (scene) {
    scene.close();
    scene = null;
  }
}

function openScene(actions) {
  const layers = makeLayers(), { canvas } = layers, section = element('section', '', ...layers.all);
  section.id = 'scene';
  section.setAttribute('aria-label', '3-D view');
  const camera = makeCamera({ azimuth: Number(state.azimuth || USUAL_VIEW.azimuth), tilt: Number(state.tilt || USUAL_VIEW.tilt) });
  let projection = null, frame = 0, frames = 0, turning = 0;
  let found = null, corners = null, posts = [], map = null, plumb = -1, shownKey = '', runs = 0, resting = 0, isMoving = false;
  const cursor = joinCursor((at) => setPlumb(at && corners ? cornerOf(at) : -1));
  const closeScene = () => {
    state.scene = '';
    actions.step();
    showScene(actions);
    document.querySelector('#panel [data-opens="scene"]:not([hidden])')?.focus();
  };
  const controls = makeSceneControls({
    chooseHeight(height) {
      [state.scene, state.stretch] = [height, ''];
      remember();
      renew();
    },
    stretch(value) {
      state.stretch = String(value);
      changed();
    },
    view(changes) {
      camera.set(changes);
      changed();
    },
    common(isCommon) {
      state.common = isCommon ? '1' : '';
      remember();
      renew();
    },
    place(index) {
      setPlumb(index);
      tellCursor();
    },
    turntable: toggleTurning, home, close: closeScene,
  });
  section.append(controls.box);
  byId('map').after(section);
  section.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeScene();
  });
  listenToGestures(canvas, {
    turn(degrees, upwards) {
      camera.turn(degrees, upwards);
      changed();
    },
    zoom(factor, at) {
      camera.approach(factor, at, free());
      changed();
    },
    move(right, down) {
      camera.move(right, down);
      changed();
    },
    home, point: pointAt,
    leave() {
      if (plumb < 0 || document.activeElement === controls.slider) return;
      setPlumb(-1);
      tellCursor();
    },
  });
  const observer = new ResizeObserver(draw);
  for (const one of [section, controls.box, byId('side')]) observer.observe(one);
  const themes = new MutationObserver(() => {
    loadGround(true);
    changed();
  });
  themes.observe(document.documentElement, { attributeFilter: ['data-background'] });

  const stretch = () => Number(state.stretch) || found?.stretch || 1;

  /// The part of the canvas that nothing covers: [left, top, width, height].
  function free() {
    const { width, height } = section.getBoundingClientRect();
    let [left, right, top, bottom] = [0, width, 0, height];
    for (const one of [byId('rail'), byId('side'), controls.box]) {
      const box = one.getBoundingClientRect();
      if (box.width === 0) continue;
      if (box.width > width * 0.8 && box.top < height / 3) top = Math.max(top, box.bottom);
      else if (box.width > width * 0.8) bottom = Math.min(bottom, box.top);
      else if (box.left < width / 3) left = Math.max(left, box.right);
      else right = Math.min(right, box.left);
    }
    return [left, top, Math.max(100, right - left), Math.max(100, bottom - top)];
  }

  function draw() {
    if (!frame) frame = requestAnimationFrame(drawFrame);
  }

  function drawFrame() {
    frame = 0;
    const { width, height } = section.getBoundingClientRect(), began = performance.now();
    if (!corners || width < 1) return;
    const part = free();
    projection = camera.project(corners, posts, stretch(), part);
    layers.draw({
      corners, projection, stretch: stretch(), theme: known.theme, width, height, posts, plumb, isMoving, map,
      plumbText: plumb >= 0 ? valueText(plumb) : '', right: part[0] + part[2], top: part[1],
    });
    // For tests.
    frames += 1;
    Object.assign(canvas.dataset, { frames, milliseconds: (performance.now() - began).toFixed(1) });
  }

  function changed() {
    isMoving = true;
    draw();
    showTexts();
    clearTimeout(resting);
    resting = setTimeout(() => {
      isMoving = false;
      draw();
      loadGround();
      for (const name of ['azimuth', 'tilt']) {
        const value = Math.round(camera.view()[name]);
        state[name] = value === USUAL_VIEW[name] ? '' : String(value);
      }
      remember();
    }, REST_MS);
  }

  function showTexts() {
    if (!found) return;
    const [, , width, height] = free(), view = camera.view();
    controls.show({
      view, height: state.scene, stretch: stretch(), usual: found.stretch, range: found.range, isCommon: state.common === '1',
      tracks: found.tracks, isTurning: turning !== 0, count: corners.count, plumb,
      picture: address('v1/scene.png', pictureParameters({
        tracks: state.track, height: state.scene, view, stretch: stretch(), size: [width, height], theme: known.theme,
        isCommon: state.common === '1',
      })),
    });
    canvas.setAttribute('aria-label', `3-D view ${viewText(view)}`);
  }

  /// Loads the part of the ground that is seen: all of it, or, after zooming in, what is around the middle.
  function loadGround(isOther = false) {
    if (!found || !projection) return;
    const [left, top, width, height] = free();
    const wanted = groundRegion(corners, camera.zoom(), projection.place(left + width / 2, top + height / 2));
    const now = map?.region();
    const isNear = now && now.radius === wanted.radius && Math.hypot(now.east - wanted.east, now.north - wanted.north) < wanted.radius / 4;
    if (isNear && !isOther) return;
    map ??= makeGround(found.centre, draw);
    map.show(wanted, known.theme);
  }

  function home() {
    camera.home();
    state.stretch = '';
    changed();
  }

  function toggleTurning() {
    if (turning) {
      cancelAnimationFrame(turning);
      turning = 0;
      changed();
      return;
    }
    let before = performance.now();
    const step = (now) => {
      camera.turn((now - before) / 1000 * TURNTABLE, 0);
      before = now;
      changed();
      turning = requestAnimationFrame(step);
    };
    turning = requestAnimationFrame(step);
    showTexts();
  }

  // The plumb line

  function valueText(index) {
    const value = corners.value[index], time = corners.time[index];
    return [Number.isFinite(value) ? heights[state.scene].text(value) : '', Number.isFinite(time) ? timeText(time) : '']
      .filter(Boolean).join(' · ');
  }

  function setPlumb(index) {
    if (plumb === index) return;
    plumb = index;
    draw();
    controls.point(plumb, plumb < 0 ? '' : valueText(plumb));
  }

  const cornerOf = ({ time, place }) => cornerAt(corners, time, metresFrom(found.centre, place));

  function tellCursor() {
    cursor.tell(plumb < 0 ? null
      : { time: corners.time[plumb], place: placeAt(found.centre, [corners.east[plumb], corners.north[plumb]]) });
  }

  function pointAt(x, y) {
    if (!projection) return;
    const best = headAt(projectCorners(corners, stretch(), projection), [x, y], REACH_PIXELS);
    if (best === plumb) return;
    setPlumb(best);
    tellCursor();
  }

  // Loading

  async function renew() {
    const parameters = {
      track: state.track, height: state.scene === 'ele' ? undefined : state.scene, start: state.common ? 'common' : undefined,
    };
    const key = JSON.stringify([parameters, known.revision]);
    if (key === shownKey || known.revision === undefined) return;
    shownKey = key;
    const run = runs += 1;
    controls.status('Loading…');
    try {
      const [answer] = await Promise.all([get('v1/scene.json', parameters), loadZone().catch(() => null)]);
      if (run !== runs) return;
      take(answer);
      controls.status('');
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      controls.status(error.message);
    }
  }

  function take(answer) {
    const isOther = String(found?.centre) !== String(answer.centre);
    [found, corners, plumb] = [answer, sceneCorners(answer), -1];
    posts = scenePosts(answer);
    drawFrame();
    if (isOther) {
      map?.end();
      map = null;
    }
    loadGround();
    showTexts();
  }

  // What has opened it is hidden now.
  canvas.focus();
  return {
    renew,
    close() {
      runs += 1;
      cancelAnimationFrame(frame);
      cancelAnimationFrame(turning);
      clearTimeout(resting);
      observer.disconnect();
      themes.disconnect();
      cursor.leave();
      map?.end();
      [state.azimuth, state.tilt, state.stretch] = ['', '', ''];
      section.remove();
    },
  };
}
