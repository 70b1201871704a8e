import { button, element } from './document.js';
import { address, change, credentials, mayChange, refusal } from './server.js';
import { counted } from './text.js';
import { union } from './boxes.js';
import { ask, input } from './panel-elements.js';
import { addTotals, batches, importText, post, readReceipts, receiptText } from './upload.js';
import { signInHint } from './sign-in.js';

/// Receipts that are shown; the status names all failures.
const MAX_SHOWN = 200;

const noTotals = { tracks: 0, points: 0, duplicates: 0, failed: 0 };
/// What has been added since the page was opened, also while the panel is closed. `numbers` are those of the imports, by
/// which they can be undone.
const added = { lines: [], boxes: [], numbers: [], totals: noTotals, failures: [], status: '', share: null };
const queue = [];
let isSending = false, changed = () => {};

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
      changed();
    };
    progress(0);
    keep(files, await post(address('v1/import'), form, credentials, progress));
    sent += files.length;
    added.status = '';
    changed();
  }
  isSending = false;
  added.share = null;
  added.status = importText(added.failures, added.totals);
  changed();
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
  const chosen = input('file', { multiple: true, hidden: true });
  const choose = button('Choose files…');
  choose.addEventListener('click', () => chosen.click());
  chosen.addEventListener('change', () => {
    add([...chosen.files]);
    chosen.value = '';
  });
  const how = element('p', '', 'Drop track files anywhere on the page, or choose them here.');
  const formats = element('p', 'quiet', 'GPX, FIT, TCX, KML, GeoJSON, CSV, NMEA, IGC, PLT, location histories, and archives '
    + 'of them. What is stored already is not stored twice.');
  const drop = element('div', 'drop filters', how, choose, chosen, formats);
  const bar = element('progress'), status = element('p'), list = element('ul', 'files');
  const show = button('Show on the map'), remove = button('Undo…'), question = element('div');
  bar.setAttribute('aria-label', 'Progress of the import');
  status.setAttribute('role', 'status');
  const row = element('div', 'row', show, remove);
  body.append(drop, bar, status, row, question, list);

  function render() {
    bar.hidden = added.share === null;
    bar.value = added.share ?? 0;
    if (status.textContent !== added.status) status.textContent = added.status;
    row.hidden = isSending || added.lines.length === 0;
    show.hidden = added.boxes.length === 0;
    remove.hidden = added.numbers.length === 0;
    list.replaceChildren(...added.lines.slice(0, MAX_SHOWN).map(({ name, text, isFailed }) =>
      element('li', isFailed ? 'failed' : '', element('b', '', name), element('span', '', text))));
  }

  show.addEventListener('click', () => actions.showBox(union(added.boxes)));
  remove.addEventListener('click', () => ask(question, {
    question: 'Remove everything that was added since this page was opened? Tracks that were stored before stay.',
    yes: 'Remove them', no: 'Keep them',
    async confirm() {
      added.status = 'Removing…';
      render();
      try {
        await undo();
      } catch (error) {
        added.status = error.message;
      }
      question.replaceChildren();
      render();
      choose.focus();
    },
    cancel() {
      question.replaceChildren();
      remove.focus();
    },
  }));
  changed = render;
  render();
  return { title, renew() {}, close() { changed = () => {}; } };
}
