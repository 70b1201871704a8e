import { known, state } from './state.js';
import { button, copyText, element } from './document.js';
import { currentZoom, keepInView, leafletMap, showBox, visiblePart } from './map.js';
import { definitions, statusLine } from './panel-elements.js';
import { categoryText, floorsOf, floorWith, isGeneral, isWithin, placeLink, placeTitle, whereText } from './venue-text.js';
import { knownVenues, placeOf, venueWith } from './venue-data.js';
import { onFloor, showFloor, shownFloor } from './floors.js';
import { loadFavourites, setFavourite } from './favourites.js';
import { makePlaceMarker } from './place-marker.js';
import { askForWay } from './way-request.js';

/// The map is moved at least to this zoom level to show a room, and not at all from this one on if the room is in view.
const NEAR_ZOOM = 19, READABLE_ZOOM = 17;

const link = (href, text) => Object.assign(element('a', '', text), { href, rel: 'noopener' });

/// A link to a website; only its text if it is no address of the web.
function website(address) {
  const url = URL.canParse?.(address) ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) ? link(url.href, url.host + url.pathname.replace(/\/$/, '')) : address;
}

/// Opens the facts of a place in a venue.
export function open(body, actions) {
  const status = statusLine(), content = element('div'), message = statusLine();
  const from = button('From here'), to = button('To here'), show = button('Show on the map');
  const star = button('☆ Favourite'), copy = button('Copy a link'), back = button('All places');
  back.dataset.panel = 'venues';
  star.hidden = true;
  to.className = from.className = 'main';
  const ways = element('div', 'row', from, to), row = element('div', 'row', show, copy, star);
  body.append(status, content, ways, row, message, back);

  let venue = null, place = null, marker = null, shownKey = '', runs = 0, isFavourite = false;

  /// The mark on the map, if its floor is shown.
  function showMarker() {
    marker?.remove();
    marker = null;
    if (!place || !shownFloor()?.levels.some(({ id }) => id === place.level)) return;
    marker = makePlaceMarker([place.lat, place.lon])
      .bindTooltip(element('span', '', placeTitle(place)), { permanent: true, direction: 'top', offset: [0, -8] })
      .addTo(leafletMap());
  }

  function showFacts() {
    const building = venue.buildings.find(({ id }) => id === place.building);
    const phone = place.phone && link('tel:' + place.phone.replace(/[^+\d]/g, ''), place.phone);
    const other = Object.values(place.names).filter((name) => name !== place.name);
    content.replaceChildren(definitions([
      ['Kind', isGeneral(place) ? '' : categoryText(place.category)], ['Level', whereText(venue, { level: place.level })],
      ['Building', building?.name], ['Venue', venue.name === building?.name ? '' : venue.name],
      ['Also called', other.join(', ')], ['Hours', place.hours], ['Phone', phone],
      ['Website', place.website && website(place.website)], ['Address', place.address ?? building?.address],
    ]));
    actions.setTitle(placeTitle(place));
  }

  /// Moves the map to the place, into the part that the panel does not cover.
  function moveThere() {
    const { lon, lat } = place;
    showBox([lon, lat, lon, lat], Math.max(NEAR_ZOOM, currentZoom() ?? 0));
  }

  function showPlace() {
    const part = visiblePart(), isReadable = part && currentZoom() >= READABLE_ZOOM;
    if (isReadable && isWithin(part.box, place)) keepInView([[place.lon, place.lat]]);
    else moveThere();
    const floor = floorWith(floorsOf(venue), place.level);
    if (floor && floor !== shownFloor()) showFloor(floor.ordinal);
    showMarker();
  }

  async function showStar(run) {
    const favourites = await loadFavourites().catch(() => null);
    if (run !== runs) return;
    star.hidden = !favourites;
    isFavourite = Boolean(favourites?.some((one) => one.place === place.id));
    star.textContent = isFavourite ? '★ Favourite' : '☆ Favourite';
    star.setAttribute('aria-pressed', String(isFavourite));
  }

  async function renew() {
    if (knownVenues().length === 0) {
      status.textContent = 'Loading…';
      return;
    }
    const key = JSON.stringify([state.venue, state.place, known.revision, knownVenues().length]);
    if (key === shownKey) return;
    shownKey = key;
    const run = runs += 1;
    known.isLink = false;
    venue = venueWith(state.venue);
    try {
      const found = venue && await placeOf(venue.id, state.place);
      if (run !== runs) return;
      for (const part of [ways, row, content]) part.hidden = !found;
      status.textContent = found ? '' : 'This place does not exist, or was removed.';
      place = found ?? null;
      if (!found) return;
      showFacts();
      showPlace();
      await showStar(run);
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.message;
    }
  }

  function plan(end) {
    state[end] = place.id;
    askForWay();
    // A way that is opened anew has no stops between of an earlier one.
    if (!state.origin || !state.destination) state.via = '';
    actions.open('directions');
  }
  from.addEventListener('click', () => plan('origin'));
  to.addEventListener('click', () => plan('destination'));
  show.addEventListener('click', () => {
    moveThere();
    showPlace();
  });
  copy.addEventListener('click', async () => {
    const text = placeLink(location.origin + location.pathname, venue.id, place.id);
    if (await copyText(text)) message.textContent = 'The link has been copied. As a QR code at a door, it opens this place.';
    else prompt('Copy this link:', text);
  });
  star.addEventListener('click', async () => {
    try {
      await setFavourite(place.id, !isFavourite);
      message.textContent = isFavourite ? 'It is no favourite any more.' : 'It is a favourite now.';
      await showStar(runs);
    } catch (error) {
      message.textContent = error.message;
    }
  });
  const forget = onFloor(showMarker);
  for (const part of [ways, row]) part.hidden = true;
  renew();
  return {
    title: 'Place', renew,
    close() {
      forget();
      marker?.remove();
      runs += 1;
    },
  };
}
