import { state } from './state.js';
import { button, element } from './document.js';
import { address, credentials, NO_ANSWER, refusal } from './server.js';
import { post } from './upload.js';
import { leafletMap } from './map.js';
import { input, labelled, select, statusLine } from './panel-elements.js';
import { MAX_CATEGORY, MAX_TEXT, placeText, visibilities } from './pins-text.js';
import { pinsChanged, showPins } from './pins-layer.js';
import { makePlaceMarker } from './place-marker.js';
import { requestPosition } from './position.js';
import { percentText } from './text.js';

/// The largest photo that the server takes.
const MAX_BYTES = 64 << 20;

/// Opens the form for a new pin.
export function open(body, actions) {
  let place = null, marker = null;
  const photo = input('file', { accept: 'image/*,video/mp4,video/quicktime' });
  const caption = input('text', { maxLength: MAX_TEXT, autocomplete: 'off' });
  const category = input('text', { maxLength: MAX_CATEGORY, autocomplete: 'off', placeholder: 'such as hut' });
  const audience = select(Object.entries(visibilities));
  const where = element('p', 'readout'), middle = button('Middle of the map'), here = button('Where I am');
  const none = button('From the photo'), status = statusLine(), send = element('button', '', 'Add the pin');
  const form = element('form', 'filters', labelled('Photo', photo), labelled('Caption', caption),
    labelled('Category', category), labelled('Who may see the content', audience), element('h3', '', 'Where'), where,
    element('div', 'row', middle, here, none), send, status);
  body.append(form);

  function setPlace(lat, lon) {
    place = lat === undefined ? null : { lat, lon };
    marker?.remove();
    marker = place && leafletMap() ? makePlaceMarker([lat, lon]).addTo(leafletMap()) : null;
    const file = photo.files[0];
    where.textContent = place ? placeText(place)
      : file ? 'The place of the photo, or of your tracks at its time. A click on the map sets another one.'
        : 'Click on the map, or choose:';
    none.hidden = !place || !file;
  }
  const clicked = ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    setPlace(lat, lng);
  };
  leafletMap()?.on('click', clicked);
  photo.addEventListener('change', () => setPlace(place?.lat, place?.lon));
  none.addEventListener('click', () => setPlace());
  middle.addEventListener('click', () => {
    const { lat, lng } = leafletMap().getCenter().wrap();
    setPlace(lat, lng);
  });
  here.addEventListener('click', async () => {
    status.textContent = 'Determining where you are…';
    try {
      const { latitude, longitude } = await requestPosition();
      status.textContent = '';
      setPlace(latitude, longitude);
    } catch (error) {
      status.textContent = error.message;
    }
  });

  /// Why the form cannot be sent; '' if it can.
  function problem(file) {
    if (!place && !file) return 'Choose a place on the map, or a photo that knows its place.';
    return file?.size > MAX_BYTES ? 'The photo has more than 64 MiB.' : '';
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const file = photo.files[0];
    status.textContent = problem(file);
    if (status.textContent) return;
    const data = new FormData();
    const fields = {
      caption: caption.value.trim(), category: category.value.trim(), visibility: audience.value,
      lon: place?.lon.toFixed(7), lat: place?.lat.toFixed(7),
    };
    for (const [name, value] of Object.entries(fields)) if (value) data.append(name, value);
    if (file) data.append('photo', file, file.name);
    send.disabled = true;
    const progress = (share) => { status.textContent = 'Sending…' + percentText(share); };
    progress(0);
    const answer = await post(address('v1/pins'), data, credentials, progress);
    send.disabled = false;
    let value = {};
    try {
      value = JSON.parse(answer.text);
    } catch {
      // Refusals of proxies are not JSON.
    }
    if (answer.status !== 201 && answer.status !== 200) {
      status.textContent = answer.status === 0 ? NO_ANSWER : refusal(answer.status, value);
      return;
    }
    state.pin = value.id;
    pinsChanged();
    actions.open('pin');
  });
  if (!state.pins) state.pins = '1';
  showPins(actions);
  setPlace();
  return {
    title: 'Add a pin', focus: photo, renew() {},
    close() {
      leafletMap()?.off('click', clicked);
      marker?.remove();
    },
  };
}
