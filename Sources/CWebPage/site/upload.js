/// Files of one request: so many, or so many bytes. Larger ones would show the first track late.
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
