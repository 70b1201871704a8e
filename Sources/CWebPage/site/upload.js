import { capitalized, counted, sentence } from './text.js';

/// The files of one request, and their bytes: with more, the first tracks would be shown late.
const MAX_FILES = 20, MAX_BYTES = 16 << 20;

/// Files in groups that are sent together, in order.
export function batches(files) {
  const groups = [];
  let bytes = Infinity;
  for (const file of files) {
    if (bytes + file.size > MAX_BYTES || groups.at(-1).length === MAX_FILES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1).push(file);
    bytes += file.size;
  }
  return groups;
}

/// The receipts and the totals in an answer to an import, or the refusal of a request as `problem`.
export function readReceipts(text) {
  let lines;
  try {
    lines = text.trim().split('\n').map((line) => JSON.parse(line));
  } catch {
    return { problem: {} };
  }
  const totals = lines.at(-1);
  return totals?.files === undefined ? { problem: totals ?? {} } : { receipts: lines.slice(0, -1), totals };
}

/// Sums of the totals of several answers.
export function addTotals(all, { tracks, points, duplicates, failed }) {
  return {
    tracks: all.tracks + tracks, points: all.points + points, duplicates: all.duplicates + duplicates,
    failed: all.failed + failed,
  };
}

function countTexts({ tracks, points, duplicates }) {
  const texts = [counted(tracks, 'new track'), counted(points, 'new point')];
  return duplicates ? [...texts, counted(duplicates, 'point') + ' already stored'] : texts;
}

/// The receipt of a file in words.
export function receiptText({ error, refused, ...counts }) {
  if (error) return sentence(capitalized(error));
  return [...countTexts(counts), ...refused ? [counted(refused, 'point') + ' refused'] : []].join(', ');
}

/// Failures of an import that are shown with their reason.
const SHOWN_FAILURES = 3;

/// The result of an import in words, from the receipts of its files and the totals.
export function importText(files, totals) {
  const parts = [...countTexts(totals), ...totals.failed ? [counted(totals.failed, 'file') + ' failed'] : []];
  const failures = files.filter(({ error }) => error).map(({ file, error }) => file + ': ' + error);
  const shown = failures.slice(0, SHOWN_FAILURES);
  if (failures.length > shown.length) shown.push('and ' + counted(failures.length - shown.length, 'more file'));
  return 'Imported: ' + parts.join(', ') + '.' + shown.map((text) => ' ' + sentence(text)).join('');
}

/// Sends a form. Calls `progress` with the share that was sent; returns status and text, status 0 without an answer.
export function post(url, form, headers, progress) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => done({ status: request.status, text: request.responseText });
    request.onerror = request.onabort = request.ontimeout = () => done({ status: 0, text: '' });
    request.send(form);
  });
}
