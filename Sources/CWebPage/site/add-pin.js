import { state } from './state.js';
import { button, element } from './document.js';
import { address, credentials, refusal } from './server.js';
import { post } from './upload.js';
import { leafletMap } from './map.js';
import { placeText, visibilities } from './pins-text.js';
import { pinsChanged, showPins } from './pins-layer.js';
import { percentText } from './text.js';

const MAX_BYTES = 64 << 20;

/// Opens the form for a new place.
export function open(body, actions) {
  let place = null, marker = null;
  const photo = Object.assign(element('input'), { type: 'file', accept: 'image/*,video/mp4,video/quicktime' });
  const caption = Object.assign(element('input'), { type: 'text', maxLength: 2000, autocomplete: 'off' });
  const category = Object.assign(element('input'), { type: 'text', maxLength: 64, autocomplete: 'off', placeholder: 'such as hut' });
  const audience = element('select');
  audience.append(...Object.entries(visibilities).map(([value, text]) => new Option(text, value)));
  const where = element('p', 'readout'), middle = button('Middle of the map'), here = button('Where I am');
  const none = button('From the photo'), status = element('p', 'quiet'), send = element('button', '', 'Add the place');
  status.setAttribute('role', 'status');
  const form = element('form', 'filters', element('label', '', 'Photo', photo),
    element('label', '', 'Caption', caption), element('label', '', 'Category', category),
    element('label', '', 'Who may see the content', audience), element('h3', '', 'Where'), where,
    element('div', 'row', middle, here, none), send, status);
  body.append(form);

  function setPlace(lat, lon) {
    place = lat === undefined ? null : { lat, lon };
    marker?.remove();
    marker = place && leafletMap() ? L.circleMarker([lat, lon], {
      className: 'spot', radius: 8, weight: 3, interactive: false,
    }).addTo(leafletMap()) : null;
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
  here.addEventListener('click', () => {
    status.textContent = 'Asking for your position…';
    navigator.geolocation?.getCurrentPosition(({ coords }) => {
      status.textContent = '';
      setPlace(coords.latitude, coords.longitude);
    }, () => { status.textContent = 'Your position is not available.'; }, { enableHighAccuracy: true, timeout: 20_000 });
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const file = photo.files[0];
    if (!place && !file) {
      status.textContent = 'Choose a place on the map, or a photo that knows its place.';
      return;
    }
    if (file?.size > MAX_BYTES) {
      status.textContent = 'The photo has more than 64 MiB.';
      return;
    }
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
      // Refusals of proxies are no JSON.
    }
    if (answer.status !== 201 && answer.status !== 200) {
      status.textContent = answer.status === 0 ? 'The server does not answer. Try again.' : refusal(answer.status, value);
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
    title: 'Add a place', focus: photo, renew() {},
    close() {
      leafletMap()?.off('click', clicked);
      marker?.remove();
    },
  };
}
