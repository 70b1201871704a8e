import { byId, copyText, cssColor, element, setNotice } from './document.js';
import { fragment } from './state.js';
import { currentView, leafletMap, moveTowards } from './map.js';
import { today } from './days.js';
import { distanceText } from './text.js';
import { requestPosition } from './position.js';

/// How long messages of the tools are shown.
const SHOWN_MS = 8000;
/// The map is moved at least to this zoom level to show where the reader is.
const HERE_ZOOM = 14;

let timer = 0, here = null;

function showMessage(text) {
  clearTimeout(timer);
  setNotice('tools', text);
  if (text) timer = setTimeout(showMessage, SHOWN_MS, '');
}

// Full screen

document.addEventListener('fullscreenchange', () => {
  const isFull = Boolean(document.fullscreenElement);
  document.querySelector('[data-tool="fullScreen"]').setAttribute('aria-pressed', String(isFull));
});

/// Fills the screen with the page, or ends that.
export async function fullScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  } catch {
    showMessage('This browser does not show pages on the full screen.');
  }
}

// Panels

/// Hides the panels, or shows them again. Messages are shown nevertheless.
export function hidePanels(button) {
  const isBare = document.documentElement.toggleAttribute('data-bare');
  button.setAttribute('aria-pressed', String(isBare));
  button.title = isBare ? 'Show the panels' : 'Hide the panels';
}

// Position

/// Moves the map to where the reader is.
export async function whereAmI() {
  showMessage('Determining where you are…');
  try {
    const { latitude, longitude, accuracy } = await requestPosition();
    showMessage('The map shows where you are, to within ' + distanceText(accuracy) + '.');
    showHere([latitude, longitude], accuracy);
  } catch (error) {
    showMessage(error.message);
  }
}

function showHere(place, radius) {
  const map = leafletMap();
  if (!map) return;
  here?.remove();
  here = L.layerGroup([
    L.circle(place, { className: 'here', radius, weight: 1, interactive: false }),
    L.circleMarker(place, { className: 'here', radius: 6, weight: 3, fillOpacity: 1, interactive: false }),
  ]).addTo(map);
  moveTowards(place, HERE_ZOOM);
}

// Picture

/// Draws the map as it is seen, with its tiles and the trails of a replay, and with a text if there is one. Returns the
/// canvas.
export function drawPicture(canvas = element('canvas'), text = '') {
  const map = byId('map'), box = map.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  const [width, height] = [box.width * ratio, box.height * ratio].map(Math.round);
  // A new size, even the same one, would clear the canvas, which may be recorded.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = cssColor('--background');
  context.fillRect(0, 0, box.width, box.height);
  const panes = ['.leaflet-base-pane img', '.leaflet-tile-pane img, .plain img, canvas',
    '.leaflet-floors-pane img', '.leaflet-names-pane img'];
  for (const part of panes.flatMap((selector) => [...map.querySelectorAll(selector)])) {
    // With tiles of other servers in it, the browser does not give the picture away.
    if (part.src && new URL(part.src).origin !== location.origin && !part.src.startsWith('data:')) continue;
    const { left, top, width, height } = part.getBoundingClientRect();
    const isLoaded = part instanceof HTMLCanvasElement ? part.width > 0 : part.complete && part.naturalWidth > 0;
    if (isLoaded) context.drawImage(part, left - box.left, top - box.top, width, height);
  }
  const source = map.querySelector('.leaflet-control-attribution')?.textContent.trim();
  if (source) {
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'right';
    context.fillStyle = cssColor('--faint');
    context.fillText(source, box.width - 8, box.height - 8);
  }
  if (text) {
    context.font = '600 28px system-ui, sans-serif';
    context.textAlign = 'left';
    context.fillStyle = cssColor('--ink');
    context.fillText(text, 24, box.height - 24);
  }
  return canvas;
}

/// Saves a file.
export function saveBlob(blob, download) {
  const link = Object.assign(element('a'), { href: URL.createObjectURL(blob), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SHOWN_MS);
}

/// Saves a picture of the map.
export async function savePicture() {
  const blob = await new Promise((done) => drawPicture().toBlob(done, 'image/png'));
  if (!blob) {
    showMessage('This browser could not make a picture of the map.');
    return;
  }
  saveBlob(blob, 'tileserve-' + today() + '.png');
}

// Link

/// Copies a link to the present view. The token in the address of the page is not part of it.
export async function share() {
  showMessage('');
  const link = location.origin + location.pathname + fragment(currentView());
  if (await copyText(link)) showMessage('The link to this view has been copied.');
  else prompt('Copy this link:', link);
}
