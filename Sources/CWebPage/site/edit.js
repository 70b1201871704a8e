import { button, element } from './document.js';
import { address, change, mayChange } from './server.js';
import { signInHint } from './sign-in.js';
import { rememberTrack, showSelectedTrack, trackTitle } from './place.js';

/// The formats of an exported track: title, ending, and whether its points need a time.
const FORMATS = [
  ['GPX', '.gpx'], ['GeoJSON, line', '.geojson'], ['GeoJSON, points', '.points.geojson'], ['KML', '.kml'],
  ['TCX', '.tcx', true], ['CSV', '.csv'], ['Moving Features', '.mfjson', true], ['GPS Log', '.gpslog.xml'],
];

/// The tags in a text, without empty ones and repetitions.
export const tagsIn = (text) => [...new Set(text.split(',').map((tag) => tag.trim()).filter(Boolean))];

/// What a merge patch has to contain so that a track gets these texts; null if nothing changes.
export function patchOf(track, { name, activity, tags }) {
  const patch = {};
  if (name.trim() !== (track.name ?? '')) patch.name = name.trim() || null;
  if (activity.trim() !== (track.activity ?? '')) patch.activity = activity.trim() || null;
  const wanted = tagsIn(tags);
  if (wanted.join() !== (track.tags ?? []).join()) patch.tags = wanted;
  return Object.keys(patch).length > 0 ? patch : null;
}

function exports(track) {
  const path = 'v1/tracks/' + encodeURIComponent(track.id);
  const links = FORMATS.filter(([, , needsTime]) => !needsTime || track.start).map(([title, ending]) => {
    const link = element('a', '', title);
    link.href = address(path + ending);
    link.download = '';
    return element('li', '', link);
  });
  return element('details', '', element('summary', '', 'Export'), element('ul', 'links', ...links));
}

function editForm(track, done, refused) {
  const text = (label, value, hint) => {
    const input = Object.assign(element('input'), { type: 'text', value, placeholder: hint, autocomplete: 'off' });
    return [input, element('label', '', label, input)];
  };
  const [name, nameLabel] = text('Name', track.name ?? '', trackTitle(track));
  const [activity, activityLabel] = text('Activity', track.activity ?? '', 'such as cycling');
  const [tags, tagsLabel] = text('Tags, separated by commas', (track.tags ?? []).join(', '), 'such as alps, 2024');
  const save = element('button', '', 'Save'), status = element('p', 'quiet');
  status.setAttribute('role', 'status');
  const form = element('form', 'filters', nameLabel, activityLabel, tagsLabel, save, status);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const patch = patchOf(track, { name: name.value, activity: activity.value, tags: tags.value });
    if (!patch) {
      status.textContent = 'Nothing was changed.';
      return;
    }
    save.disabled = true;
    status.textContent = 'Saving…';
    try {
      done(await change('PATCH', 'v1/tracks/' + encodeURIComponent(track.id), patch));
    } catch (error) {
      save.disabled = false;
      status.textContent = error.message;
      if (!mayChange()) refused();
    }
  });
  return form;
}

function removal(track, done, refused) {
  const remove = button('Delete this track…'), place = element('div', 'confirm', remove);
  const ask = () => {
    const yes = button('Delete'), no = button('Keep it'), status = element('p', 'quiet');
    yes.className = 'danger';
    status.setAttribute('role', 'status');
    const text = element('p', '', `Delete “${trackTitle(track)}” with all its points? This cannot be undone.`);
    place.replaceChildren(text, element('div', 'row', yes, no), status);
    place.addEventListener('keydown', escape);
    no.addEventListener('click', keep);
    yes.addEventListener('click', async () => {
      yes.disabled = no.disabled = true;
      status.textContent = 'Deleting…';
      try {
        await change('DELETE', 'v1/tracks/' + encodeURIComponent(track.id));
        done();
      } catch (error) {
        yes.disabled = no.disabled = false;
        status.textContent = error.message;
        if (!mayChange()) refused();
      }
    });
    no.focus();
  };
  const keep = () => {
    place.removeEventListener('keydown', escape);
    place.replaceChildren(remove);
    remove.focus();
  };
  const escape = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    keep();
  };
  remove.addEventListener('click', ask);
  return place;
}

/// Links to export a track, and what its owner can change. `edited` is called after each change.
export function editor(track, actions, edited) {
  const details = element('details', 'edit', element('summary', '', 'Edit or delete'));
  const refused = () => details.replaceChildren(details.firstChild, signInHint('change tracks', actions));
  if (!mayChange()) refused();
  else {
    details.append(
      editForm(track, (changed) => {
        details.open = false;
        rememberTrack(changed);
        showSelectedTrack();
        edited();
      }, refused),
      removal(track, () => {
        actions.closeTrack();
        actions.open('tracks');
      }, refused));
  }
  return element('div', 'more', exports(track), details);
}
