import { known, state } from './state.js';
import { element } from './document.js';
import { address, getFile } from './server.js';
import { leafletMap, visiblePart } from './map.js';
import {
  boxText, fileName, isPossible, MAX_TITLE, orientationOf, papers, paperSides, posterParameters, previewResolution,
  resolutions, resolutionText, tracksText, wrapBox,
} from './poster-text.js';
import { delayed, input, labelled, select, statusLine } from './panel-elements.js';

/// The preview is drawn when nothing has changed for this time.
const QUIET_MS = 500;
/// Styles that draw something else than tracks have no poster of their own.
const KINDS = ['heat', 'tracks', 'points'];
const FORMATS = { pdf: 'PDF', svg: 'SVG', png: 'PNG' };

function choice(label, options) {
  const control = select(options);
  return { control, row: labelled(label, control) };
}

/// Opens the panel that makes a poster of what the map shows.
export function open(body, actions) {
  const what = element('p', 'quiet'), status = statusLine(), picture = element('canvas');
  const download = element('a', 'button', 'Download');
  const title = input('text', { maxLength: MAX_TITLE, autocomplete: 'off' });
  const paper = choice('Paper', Object.keys(papers).map((name) => [name, name]));
  const orientation = choice('Orientation', [['portrait', 'Portrait'], ['landscape', 'Landscape']]);
  const style = choice('Style', []), theme = choice('Background', [['light', 'Light'], ['dark', 'Dark']]);
  const format = choice('File', Object.entries(FORMATS)), dpi = choice('Resolution', []);
  picture.hidden = true;
  picture.setAttribute('role', 'img');
  const frame = element('div', 'paper', picture);
  const rows = element('div', 'days', paper.row, orientation.row, style.row, theme.row, format.row, dpi.row);
  body.append(what, frame, status, download, labelled('Title', title), rows);
  const map = leafletMap();
  let controller = null, shown = '', next = null, sides = papers.A4;
  const drawing = delayed(() => {
    shown = next.preview;
    draw(next.options);
  }, QUIET_MS);

  const shownStyle = () => state.posterStyle || state.style;
  const posterFormat = () => state.format || 'pdf';

  /// The resolution of a PNG: the selected one, or the greatest that the paper allows.
  const posterResolution = () => {
    const selected = Number(state.dpi || 150);
    return isPossible(sides, selected) ? selected : resolutions.findLast((one) => isPossible(sides, one));
  };

  function parameters() {
    const seen = visiblePart();
    if (!seen) return null;
    sides = paperSides(state.paper || 'A4', orientationOf(state.orientation, seen.size));
    const { layer, from, to, track, base } = state;
    return posterParameters({
      box: wrapBox(seen.box), sides, title: state.title.trim(), style: shownStyle(), theme: state.posterTheme || 'light',
      base, layer, from, to, track,
    });
  }

  function showChoices(wanted) {
    const styles = known.styles.filter(({ kind, name }) => KINDS.includes(kind) || name === shownStyle());
    style.control.replaceChildren(...styles.map(({ name, title: text }) => new Option(text || name, name)));
    style.control.value = shownStyle();
    if (document.activeElement !== title) title.value = state.title;
    paper.control.value = state.paper || 'A4';
    orientation.control.value = sides[0] > sides[1] ? 'landscape' : 'portrait';
    theme.control.value = state.posterTheme || 'light';
    format.control.value = posterFormat();
    dpi.row.hidden = posterFormat() !== 'png';
    dpi.control.replaceChildren(...resolutions.filter((one) => isPossible(sides, one))
      .map((one) => new Option(resolutionText(sides, one), one)));
    dpi.control.value = posterResolution();
    const file = { ...wanted, format: posterFormat(), dpi: posterFormat() === 'png' ? posterResolution() : undefined };
    download.href = address('v1/poster', file);
    download.download = fileName(state.title, posterFormat());
    download.textContent = `Download ${FORMATS[posterFormat()]}, ${sides.join(' × ')} mm`;
    frame.style.aspectRatio = sides.join(' / ');
    frame.classList.toggle('wide', sides[0] > sides[1]);
    const compared = state.minus ? ' The comparison is not on it.' : '';
    what.textContent = `Shows what the map shows: ${tracksText(state)}. Move the map to choose another area; `
      + `it is now ${boxText(wrapBox(visiblePart().box))}.${compared}`;
  }

  async function draw(options) {
    controller?.abort();
    const own = controller = new AbortController();
    status.textContent = 'Drawing the preview…';
    frame.setAttribute('aria-busy', 'true');
    try {
      // Not as an image element: that would not tell why the server refuses it, and the page may not show files from
      // memory.
      const bitmap = await createImageBitmap(await getFile('v1/poster', options, own.signal));
      if (own.signal.aborted) return;
      Object.assign(picture, { width: bitmap.width, height: bitmap.height, hidden: false });
      picture.getContext('2d').drawImage(bitmap, 0, 0);
      picture.setAttribute('aria-label', `Preview of the poster, ${sides.join(' × ')} mm`);
      status.textContent = '';
    } catch (error) {
      if (own.signal.aborted) return;
      shown = '';
      picture.hidden = true;
      status.textContent = error.message;
    }
    frame.removeAttribute('aria-busy');
  }

  function renew() {
    if (known.revision === undefined) return;
    const wanted = parameters();
    if (!wanted) return;
    showChoices(wanted);
    const options = { ...wanted, format: 'png', dpi: previewResolution(sides), v: known.revision };
    const preview = JSON.stringify(options);
    if (preview === shown) return;
    next = { options, preview };
    drawing.later();
  }

  for (const [{ control }, name] of [
    [paper, 'paper'], [orientation, 'orientation'], [style, 'posterStyle'], [theme, 'posterTheme'], [format, 'format'],
    [dpi, 'dpi'],
  ]) {
    control.addEventListener('change', () => {
      state[name] = control.value;
      actions.remember();
      renew();
    });
  }
  title.addEventListener('input', () => {
    state.title = title.value;
    actions.remember();
    renew();
  });
  map?.on('moveend', renew);
  renew();
  return {
    title: 'Poster',
    renew,
    close() {
      drawing.cancel();
      controller?.abort();
      map?.off('moveend', renew);
    },
  };
}
