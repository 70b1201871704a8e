import { farToNear } from './scene-order.js';
import { CURTAIN_ALPHA, LINE_WIDTH, SHADOW_ALPHA, scenePalette } from './scene-palette.js';

// Draws the ground, the shadows and the curtains of a scene with WebGL, which draws tens of thousands of corners many times a
// second. Labels are drawn above it.

/// Numbers of a vertex: its place and height, those of the other end of its panel, its side, what it belongs to, and its track.
const NUMBERS = 9, BYTES = 4;
/// What a vertex belongs to.
const SHADOW = 0, CURTAIN = 1, LINE = 2;
/// Colours of tracks; of more, they are repeated.
const COLORS = 6;

const VERTEX = `#version 300 es
uniform vec2 across, down, origin, size;
uniform float up, stretch, width[3], alpha[3];
uniform vec3 colors[${COLORS}], ink;
layout(location = 0) in vec3 here;
layout(location = 1) in vec3 there;
layout(location = 2) in vec3 look;
out vec4 color;
vec2 pixel(vec3 corner, float height) {
  return origin + vec2(dot(corner.xy, across), dot(corner.xy, down) - corner.z * stretch * up * height);
}
void main() {
  int kind = int(look.y);
  vec3 tone = kind == ${SHADOW} ? ink : colors[int(look.z)];
  vec2 at, end;
  if (kind == ${CURTAIN}) {
    // Its side is 0 at the ground and 1 at the track.
    at = pixel(here, look.x);
    vec2 run = pixel(there, 0.0) - pixel(here, 0.0);
    float long_ = length(run);
    // As if light came from the left.
    tone *= long_ > 0.0 ? 0.72 + 0.28 * abs(run.x) / long_ : 0.86;
  } else {
    float height = kind == ${LINE} ? 1.0 : 0.0;
    at = pixel(here, height);
    vec2 run = pixel(there, height) - at;
    vec2 along = length(run) > 0.001 ? normalize(run) : vec2(1.0, 0.0);
    // Ends overlap, so that there are no gaps in bends.
    at += (vec2(-along.y, along.x) * look.x - along * 0.5) * width[kind] * 0.5;
  }
  vec2 share = at / size * 2.0 - 1.0;
  gl_Position = vec4(share.x, -share.y, 0.0, 1.0);
  color = vec4(tone * alpha[kind], alpha[kind]);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 color;
out vec4 shown;
void main() { shown = color; }`;
const GROUND_VERTEX = `#version 300 es
uniform vec2 across, down, origin, size;
uniform vec3 region;
layout(location = 0) in vec2 corner;
out vec2 share;
void main() {
  vec2 metres = region.xy + corner * region.z;
  vec2 at = (origin + vec2(dot(metres, across), dot(metres, down))) / size * 2.0 - 1.0;
  gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
  share = vec2(corner.x, -corner.y) * 0.5 + 0.5;
}`;
const GROUND_FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D picture;
in vec2 share;
out vec4 shown;
void main() { shown = texture(picture, share); }`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) return null;
  const places = new Map();
  return {
    made,
    /// The place of a variable.
    at(name) {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
      return places.get(name);
    },
  };
}

/// The panels of a scene: between which corners they are, and of which track. A single corner is a panel of its own.
export function panelsOf({ segments }) {
  const from = [], to = [], tracks = [];
  for (const { track, from: first, to: end } of segments) {
    for (let corner = first; corner < Math.max(end - 1, first + 1) && corner < end; corner++) {
      from.push(corner);
      to.push(Math.min(corner + 1, end - 1));
      tracks.push(track);
    }
  }
  return { from, to, tracks };
}

/// The vertices of all panels: for each, four of its shadow, four of its curtain and four of its line.
function vertices({ east, north, rise }, { from, to, tracks }) {
  const numbers = new Float32Array(from.length * 12 * NUMBERS);
  let next = 0;
  const add = (here, there, side, kind, track) => {
    numbers.set([east[here], north[here], rise[here], east[there], north[there], rise[there], side, kind, track % COLORS], next);
    next += NUMBERS;
  };
  for (let panel = 0; panel < from.length; panel++) {
    const [one, other, track] = [from[panel], to[panel], tracks[panel]];
    for (const kind of [SHADOW, CURTAIN, LINE]) {
      const isCurtain = kind === CURTAIN;
      add(one, other, isCurtain ? 0 : -1, kind, track);
      add(one, other, 1, kind, track);
      // Seen from the other end, the sides are exchanged.
      add(other, one, isCurtain ? 0 : 1, kind, track);
      add(other, one, isCurtain ? 1 : -1, kind, track);
    }
  }
  return numbers;
}

/// The corners of two triangles for a quadrilateral whose vertices begin at `start`.
const QUAD = [0, 1, 2, 2, 1, 3];

/// The order in which vertices are drawn: all shadows, then from far to near each curtain with its line on top.
export function drawingOrder(count, order) {
  const indices = new Uint32Array(count * 18);
  let next = 0;
  const add = (start) => { for (const corner of QUAD) indices[next++] = start + corner; };
  for (let panel = 0; panel < count; panel++) add(panel * 12);
  for (const panel of order) {
    add(panel * 12 + 4);
    add(panel * 12 + 8);
  }
  return indices;
}

const channels = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);

/// What draws scenes on a canvas; null if the browser has no WebGL. `lost` is called if it is taken away.
export function makeSceneGL(canvas, lost) {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, depth: true, premultipliedAlpha: true });
  const tracks = gl && program(gl, VERTEX, FRAGMENT), land = gl && program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
  if (!tracks || !land) return null;
  canvas.addEventListener('webglcontextlost', lost);
  const numbers = gl.createBuffer(), indices = gl.createBuffer(), square = gl.createBuffer(), texture = gl.createTexture();
  let corners = null, panels = null, depths = null, sortedFor = NaN, groundPicture = null;
  gl.bindBuffer(gl.ARRAY_BUFFER, square);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  function take(given) {
    corners = given;
    panels = panelsOf(corners);
    depths = new Float64Array(panels.from.length);
    sortedFor = NaN;
    gl.bindBuffer(gl.ARRAY_BUFFER, numbers);
    gl.bufferData(gl.ARRAY_BUFFER, vertices(corners, panels), gl.STATIC_DRAW);
  }

  /// Sorts the panels if one looks into another direction.
  function sort({ depth }) {
    const direction = depth(1, 0) + 2 * depth(0, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    if (direction === sortedFor) return;
    sortedFor = direction;
    const { east, north } = corners, { from, to } = panels;
    for (let panel = 0; panel < depths.length; panel++) {
      depths[panel] = depth(east[from[panel]] + east[to[panel]], north[from[panel]] + north[to[panel]]);
    }
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, drawingOrder(depths.length, farToNear(depths)), gl.DYNAMIC_DRAW);
  }

  function setView({ at }, { across, down, origin }, width, height) {
    gl.uniform2f(at('across'), ...across);
    gl.uniform2f(at('down'), ...down);
    gl.uniform2f(at('origin'), ...origin);
    gl.uniform2f(at('size'), width, height);
  }

  function drawGround({ ground, projection, width, height }) {
    const picture = ground?.picture(), region = ground?.region();
    if (!picture) return;
    gl.useProgram(land.made);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (picture !== groundPicture) {
      groundPicture = picture;
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, axis, gl.CLAMP_TO_EDGE);
    }
    setView(land, projection, width, height);
    gl.uniform3f(land.at('region'), region.east, region.north, region.radius);
    gl.bindBuffer(gl.ARRAY_BUFFER, square);
    gl.enableVertexAttribArray(0);
    for (const place of [1, 2]) gl.disableVertexAttribArray(place);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  return {
    /// Draws a frame as `drawScene` does, without what is above it.
    draw(frame) {
      const { projection, stretch, theme, width, height } = frame, palette = scenePalette(theme);
      if (frame.corners !== corners) take(frame.corners);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      drawGround(frame);
      gl.useProgram(tracks.made);
      setView(tracks, projection, width, height);
      gl.uniform1f(tracks.at('up'), projection.up);
      gl.uniform1f(tracks.at('stretch'), stretch);
      gl.uniform1fv(tracks.at('width'), [LINE_WIDTH + 1, 0, LINE_WIDTH]);
      gl.uniform1fv(tracks.at('alpha'), [SHADOW_ALPHA, CURTAIN_ALPHA, 1]);
      gl.uniform3fv(tracks.at('colors'), palette.tracks.flatMap(channels));
      gl.uniform3fv(tracks.at('ink'), channels(palette.ink));
      gl.bindBuffer(gl.ARRAY_BUFFER, numbers);
      for (const place of [0, 1, 2]) {
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, 3, gl.FLOAT, false, NUMBERS * BYTES, place * 3 * BYTES);
      }
      sort(projection);
      const shadows = depths.length * QUAD.length;
      // From above, the shadow would be the line itself.
      if (projection.up > 0) {
        // Where a line crosses itself, its shadow is not darker: there, the same depth is not drawn again.
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LESS);
        gl.drawElements(gl.TRIANGLES, shadows, gl.UNSIGNED_INT, 0);
        gl.disable(gl.DEPTH_TEST);
      }
      gl.drawElements(gl.TRIANGLES, 2 * shadows, gl.UNSIGNED_INT, shadows * BYTES);
    },
  };
}
