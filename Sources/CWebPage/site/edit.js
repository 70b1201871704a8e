import { button, element } from './document.js';
import { address, change, mayChange, trackPath } from './server.js';
import { ask, input, labelled, statusLine } from './panel-elements.js';
import { signInHint } from './sign-in.js';
import { rememberTrack, showSelectedTrack, trackTitle } from './selected-track.js';

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
  const path = trackPath(track.id);
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
    const field = input('text', { value, placeholder: hint, autocomplete: 'off' });
    return [field, labelled(label, field)];
  };
  const [name, nameLabel] = text('Name', track.name ?? '', trackTitle(track));
  const [activity, activityLabel] = text('Activity', track.activity ?? '', 'such as cycling');
  const [tags, tagsLabel] = text('Tags, separated by commas', (track.tags ?? []).join(', '), 'such as alps, 2024');
  const save = element('button', '', 'Save'), status = statusLine();
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
      done(await change('PATCH', trackPath(track.id), patch));
    } catch (error) {
      save.disabled = false;
      status.textContent = error.message;
      if (!mayChange()) refused();
    }
  });
  return form;
}

function removal(track, done, refused) {
  const remove = button('Delete this track…'), place = element('div', '', remove);
  remove.addEventListener('click', () => ask(place, {
    question: `Delete “${trackTitle(track)}” with all its points? This cannot be undone.`,
    yes: 'Delete', no: 'Keep it',
    async confirm(status) {
      status.textContent = 'Deleting…';
      try {
        await change('DELETE', trackPath(track.id));
        done();
      } catch (error) {
        status.textContent = error.message;
        if (!mayChange()) refused();
      }
    },
    cancel() {
      place.replaceChildren(remove);
      remove.focus();
    },
  }));
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
