import { byId } from './document.js';
import { mayChange } from './server.js';

/// Browsers tell many times a second that files are dragged over the page; without that, they have left it.
const LEAVING_MS = 250;

let leaving = 0;

const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files');

function showHint(isShown) {
  clearTimeout(leaving);
  byId('drop-hint').hidden = !isShown || !mayChange();
}

/// Takes files that are dropped on the page, and shows that it does while they are dragged. Calls `take` with them.
export function listenToDrops(take) {
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    showHint(true);
    leaving = setTimeout(showHint, LEAVING_MS, false);
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    showHint(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) take(files);
  });
}
