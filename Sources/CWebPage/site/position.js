/// How long a position may take, and how old it may be.
const POSITION_MS = 15_000, POSITION_AGE_MS = 60_000;

/// Why a position could not be determined, from the code of the browser's error.
function errorText(code) {
  if (code === 1) {
    return 'The browser may not tell this page where you are. Allow it in the browser’s settings of this page.';
  }
  if (code === 3) return 'It takes too long to determine where you are. Try again, outdoors if possible.';
  return 'Your device cannot determine where it is.';
}

/// Where the reader is, as the browser's coordinates; throws an `Error` with a message for the reader.
export function requestPosition() {
  return new Promise((done, failed) => {
    if (!isSecureContext || !navigator.geolocation) {
      failed(new Error(
        'Browsers tell a page where you are only if it is opened over HTTPS, or on the machine of the server.'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done(coords), ({ code }) => failed(new Error(errorText(code))),
      { enableHighAccuracy: true, timeout: POSITION_MS, maximumAge: POSITION_AGE_MS });
  });
}
