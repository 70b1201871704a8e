import { known, state } from './state.js';
import { button, element } from './document.js';
import { counted } from './text.js';
import { loadZone } from './calendar.js';
import { statusLine } from './panel-elements.js';
import { isPerson, loadPersons, loadRewards, loadRoute, loadRoutes, ownPerson } from './journey-data.js';
import { journeyTabs, placeCard, progressBar } from './journey-elements.js';
import { boxOf, focusText, nextReward } from './journey-text.js';
import { rewardItem } from './journey-rewards.js';
import { makeJourneyLayer } from './journey-layer.js';

/// Opens the passport of the reader: the places that were reached on all routes, and the rewards.
export function open(body, actions) {
  const status = statusLine(), rewards = element('section', 'more'), list = element('div', 'more');
  const layer = makeJourneyLayer((place) => {
    const item = list.querySelector(`[data-place="${CSS.escape(place.id)}"]`);
    item?.scrollIntoView({ block: 'center' });
  });
  body.append(journeyTabs('passport'), status, rewards, list);
  let shownKey = '', shownText = '', runs = 0;

  function routeSection(listed) {
    const open = listed.places.filter(({ locked }) => !locked), content = element('div', 'more');
    const made = element('details', 'stamps', element('summary', '', element('b', '', listed.name),
      element('span', 'quiet', ` ${open.length} of ${counted(listed.places.length, 'place')}`)),
    progressBar(open.length / listed.places.length, `Places of ${listed.name}`), content);
    made.addEventListener('toggle', async () => {
      if (!made.open) return;
      try {
        const route = await loadRoute(listed.id);
        const start = button('To this route');
        start.addEventListener('click', () => {
          state.route = route.id;
          actions.open('route');
        });
        content.replaceChildren(...route.places.map(placeItem), start);
        layer.show({ route, lookOf: (place) => ({ kind: place.locked ? 'locked' : 'open', title: place.name + (place.locked ? ', locked' : '') }) });
        actions.showBox(boxOf(route.line));
      } catch (error) {
        content.replaceChildren(element('p', 'quiet', error.message));
      }
    });
    return made;
  }

  function placeItem(place) {
    const made = place.locked ? element('p', 'locked-place', place.name, element('span', 'quiet', ' locked')) : placeCard(place);
    made.dataset.place = place.id;
    return made;
  }

  function showRewards(all, { rewards: granted, focusSeconds }) {
    const next = nextReward(all, focusSeconds);
    const more = next ? [progressBar(next.share, `Progress to ${next.reward.name}`),
      element('p', 'quiet', `${focusText(next.seconds)} of focus to “${next.reward.name}”`)] : [];
    rewards.replaceChildren(element('h3', '', 'Rewards'), element('ul', 'medals', ...all.map((reward) =>
      rewardItem(reward, granted.find(({ hours }) => hours === reward.hours)))), ...more);
  }

  async function renew() {
    const key = JSON.stringify([known.revision, isPerson()]);
    if (known.revision === undefined || key === shownKey) return;
    shownKey = key;
    const run = runs += 1;
    if (list.children.length === 0) status.textContent = 'Loading…';
    try {
      const [routes, all, persons] = await Promise.all([
        loadRoutes(), loadRewards(), isPerson() ? loadPersons() : [], loadZone().catch(() => null),
      ]);
      if (run !== runs) return;
      // Most changes of the library do not concern the passport: what the reader has opened stays open.
      const text = JSON.stringify([routes, all, persons]);
      if (text === shownText) return;
      shownText = text;
      const own = ownPerson(persons), open = routes.flatMap(({ places }) => places.filter(({ locked }) => !locked));
      status.textContent = own ? `${own.displayName || own.name}: ${counted(open.length, 'place')} on ${counted(routes.length, 'route')}, ${focusText(own.focusSeconds)} of focus.`
        : 'Sign in with a token of your own to collect places.';
      rewards.hidden = !own;
      if (own) showRewards(all, own);
      list.replaceChildren(element('h3', '', 'Places'), ...routes.map(routeSection));
    } catch (error) {
      if (run !== runs) return;
      shownKey = '';
      status.textContent = error.message;
    }
  }
  renew();
  return {
    title: 'Passport', renew,
    close() {
      runs += 1;
      layer.remove();
    },
  };
}
