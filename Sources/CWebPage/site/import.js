import { address, credentials, refusal } from './server.js';
import { setNotice } from './document.js';
import { importText } from './text.js';

/// How long the result of an import is shown.
const SHOWN_MS = 20_000;

let timer = 0;

function show(text, milliseconds = 0) {
  clearTimeout(timer);
  setNotice('import', text);
  if (milliseconds) timer = setTimeout(show, milliseconds, '');
}

async function send(files) {
  show('Importing ' + (files.length === 1 ? files[0].name : files.length + ' files') + '…');
  const form = new FormData();
  for (const file of files) form.append('file', file);
  try {
    const response = await fetch(address('v1/import'), { method: 'POST', body: form, headers: credentials });
    const lines = (await response.text()).trim().split('\n').map((line) => JSON.parse(line));
    const totals = lines.at(-1);
    const isReceipt = totals.files !== undefined;
    show(isReceipt ? importText(lines.slice(0, -1), totals) : refusal(response.status, totals), SHOWN_MS);
  } catch {
    show('The files could not be sent.', SHOWN_MS);
  }
}

/// Imports files that are dropped on the page. The map shows them by itself.
export function listenToFiles() {
  const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files');
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    if (files.length) send(files);
  });
}
