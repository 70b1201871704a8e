import { button, element } from './document.js';
import { address, change, credentials, mayChange, refusal } from './server.js';
import { counted, importText, sentence } from './text.js';
import { union } from './boxes.js';
import { addTotals, batches, post, readReceipts } from './upload.js';
import { signInHint } from './sign-in.js';

/// Receipts that are shown; the status names all failures.
const MAX_SHOWN = 200;

const noTotals = { tracks: 0, points: 0, duplicates: 0, failed: 0 };
/// What has been added since the page was opened, also while the panel is closed: imports can be undone by `numbers`.
const added = { lines: [], boxes: [], numbers: [], totals: noTotals, failures: [], status: '', share: null };
const queue = [];
let isSending = false, show = () => {};

function receiptText({ tracks, points, duplicates, refused, error }) {
  if (error) return sentence(error[0].toUpperCase() + error.slice(1));
  const parts = [counted(tracks, 'new track'), counted(points, 'new point')];
  if (duplicates) parts.push(counted(duplicates, 'point') + ' already stored');
  if (refused) parts.push(counted(refused, 'point') + ' refused');
  return parts.join(', ');
}

function keep(files, { status, text }) {
  const { receipts, totals, problem } = readReceipts(text);
  if (problem) {
    const reason = status === 0 ? 'The server does not answer; the file was not sent.' : refusal(status, problem);
    for (const { name } of files) added.lines.unshift({ name, text: reason, isFailed: true });
    added.failures.push(...files.map(({ name }) => ({ file: name, error: reason })));
    added.totals = addTotals(added.totals, { ...noTotals, failed: files.length });
    return;
  }
  for (const receipt of receipts) {
    added.lines.unshift({ name: receipt.file, text: receiptText(receipt), isFailed: Boolean(receipt.error) });
    if (receipt.bbox) added.boxes.push(receipt.bbox);
  }
  added.failures.push(...receipts.filter(({ error }) => error));
  added.totals = addTotals(added.totals, totals);
  if (totals.import !== undefined) added.numbers.push(totals.import);
}

async function sendAll() {
  isSending = true;
  let sent = 0;
  while (queue.length > 0) {
    const files = queue.shift();
    const form = new FormData();
    for (const file of files) form.append('file', file);
    const left = files.length + queue.reduce((sum, group) => sum + group.length, 0);
    const progress = (share) => {
      added.share = (sent + files.length * share) / (sent + left);
      added.status = share < 1 ? `Sending ${counted(left, 'file')}…` : `Importing ${counted(left, 'file')}…`;
      show();
    };
    progress(0);
    keep(files, await post(address('v1/import'), form, credentials, progress));
    sent += files.length;
    added.status = '';
    show();
  }
  isSending = false;
  added.share = null;
  added.status = importText(added.failures, added.totals);
  show();
}

/// Imports files. The map shows their tracks by itself, as soon as they are stored.
export function add(files) {
  if (!mayChange() || files.length === 0) return;
  queue.push(...batches(files));
  if (!isSending) sendAll();
}

/// Undoes what was added; throws if the server refuses.
async function undo() {
  while (added.numbers.length > 0) {
    try {
      await change('DELETE', 'v1/imports/' + added.numbers.at(-1));
    } catch (error) {
      // Undone by somebody else in the meantime.
      if (error.status !== 404) throw error;
    }
    added.numbers.pop();
  }
  Object.assign(added, {
    lines: [], boxes: [], totals: noTotals, failures: [], status: 'What was added has been removed.',
  });
}

/// Opens the panel to add files.
export function open(body, actions) {
  const title = 'Add files';
  if (!mayChange()) {
    body.append(signInHint('add files', actions));
    return { title, renew() {}, close() {} };
  }
  const input = Object.assign(element('input'), { type: 'file', multiple: true, hidden: true });
  const choose = button('Choose files…');
  choose.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    add([...input.files]);
    input.value = '';
  });
  const how = element('p', '', 'Drop track files anywhere on the page, or choose them here.');
  const drop = element('div', 'drop filters', how, choose, input, element('p', 'quiet', 'GPX, FIT, TCX, KML, GeoJSON, CSV, NMEA, IGC, location histories, and archives '
      + 'of them. What is stored already is not stored twice.'));
  const bar = element('progress'), status = element('p'), list = element('ul', 'files');
  const far = button('Show on the map'), remove = button('Undo…'), asking = element('div', 'confirm');
  bar.setAttribute('aria-label', 'Progress of the import');
  status.setAttribute('role', 'status');
  const row = element('div', 'row', far, remove);
  body.append(drop, bar, status, row, asking, list);

  function render() {
    bar.hidden = added.share === null;
    bar.value = added.share ?? 0;
    if (status.textContent !== added.status) status.textContent = added.status;
    row.hidden = isSending || added.lines.length === 0;
    far.hidden = added.boxes.length === 0;
    remove.hidden = added.numbers.length === 0;
    list.replaceChildren(...added.lines.slice(0, MAX_SHOWN).map(({ name, text, isFailed }) =>
      element('li', isFailed ? 'failed' : '', element('b', '', name), element('span', '', text))));
  }

  function stopAsking() {
    asking.replaceChildren();
    remove.focus();
  }

  far.addEventListener('click', () => actions.showBox(union(added.boxes)));
  remove.addEventListener('click', () => {
    const yes = button('Remove them'), no = button('Keep them');
    yes.className = 'danger';
    asking.replaceChildren(
      element('p', '', 'Remove everything that was added since this page was opened? '
        + 'Tracks that were stored before stay.'),
      element('div', 'row', yes, no));
    no.addEventListener('click', stopAsking);
    yes.addEventListener('click', async () => {
      yes.disabled = no.disabled = true;
      added.status = 'Removing…';
      render();
      try {
        await undo();
      } catch (error) {
        added.status = error.message;
      }
      asking.replaceChildren();
      render();
      choose.focus();
    });
    no.focus();
  });
  asking.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    stopAsking();
  });
  show = render;
  render();
  return { title, renew() {}, close() { show = () => {}; } };
}
