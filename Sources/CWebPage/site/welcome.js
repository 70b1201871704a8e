import { button, byId, element } from './document.js';
import { input } from './panel-elements.js';

/// The large place to add the first files, on the map of an empty library; `add` is called with the files.
export function makeWelcome(add) {
  const chosen = input('file', { multiple: true, hidden: true }), choose = button('Add files');
  choose.className = 'main';
  choose.addEventListener('click', () => chosen.click());
  chosen.addEventListener('change', () => {
    add([...chosen.files]);
    chosen.value = '';
  });
  chosen.setAttribute('aria-label', 'Files to add');
  const title = element('h2', '', 'Your map begins with a track');
  title.id = 'welcome-title';
  const box = element('section', '', title,
    element('p', '', 'Drop track files or whole archives anywhere on this page, or choose them:'), choose, chosen,
    element('p', 'quiet', 'GPX, FIT, TCX, KML, GeoJSON, CSV, NMEA, IGC, and location histories of Google, OwnTracks and others. '
      + 'They stay on this server.'),
    element('p', 'quiet', `To record with a phone, let an app such as OwnTracks, GPSLogger or Overland send to ${location.origin}/owntracks, `
      + '/gpslogger or /overland; “tileserve help recording” has the steps.'));
  box.id = 'welcome';
  box.setAttribute('aria-labelledby', title.id);
  byId('panel').before(box);
  return box;
}
