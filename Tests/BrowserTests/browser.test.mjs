// What a reader sees of the web page, in Chromium. TILESERVE names the program (default: the debug build), CHROMIUM the
// browser, TILESERVE_SCREENSHOTS a folder for pictures, TILESERVE_SITE the files of the page if they are not those of the
// program.
import { after, before, describe } from 'node:test';
import { Browser } from './chromium.mjs';
import { cleanUp, library, serve, town } from './server.mjs';
import { accessibilityTests } from './accessibility.mjs';
import { changeTests } from './changes.mjs';
import { exampleTests } from './examples.mjs';
import { failureTests } from './failures.mjs';
import { journeysTests } from './journeys.mjs';
import { layoutTests } from './layout.mjs';
import { mapTests } from './map.mjs';
import { pinsTests } from './pins.mjs';
import { playerChartTests } from './player-chart.mjs';
import { posterTests } from './poster.mjs';
import { replayTests } from './replay.mjs';
import { sceneTests } from './scene.mjs';
import { sharingTests } from './sharing.mjs';
import { statisticsTests } from './statistics.mjs';
import { timelineTests } from './timeline.mjs';
import { venuesTests } from './venues.mjs';
import { waysTests } from './ways.mjs';

/// What the tests share: the browser, and a server with the town.
const shared = { browser: null, url: '' };

// Several pages at once: most of the time is spent waiting.
describe('the web page', { concurrency: 3 }, () => {
  before(async () => {
    shared.browser = new Browser();
    shared.url = (await serve(await library(town()))).url;
  });

  after(async () => {
    await shared.browser?.close();
    await cleanUp();
  });

  for (const tests of [
    accessibilityTests, mapTests, layoutTests, timelineTests, replayTests, statisticsTests, pinsTests, changeTests, failureTests,
    posterTests, playerChartTests, exampleTests, venuesTests, waysTests, sceneTests, journeysTests, sharingTests,
  ]) tests(shared);
});
