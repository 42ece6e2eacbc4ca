/**
 * The last file of a run: looks once at each distinct page that the others have recorded. It is no `*.test.ts`, because
 * it has something to look at only after them; see run.ts.
 *
 * TEST_SCREENSHOTS  a folder that keeps each page in each look as `name-look.png`; then every page is looked at
 */
import { env } from 'node:process';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { browserProgram } from './browser-program.ts';
import { FLAGS } from './browser.ts';
import { Eye } from './look-at.ts';
import { inTurns } from './rare.ts';
import { markLooked, recordedPages, type RecordedPage } from './looks.ts';

const pages = recordedPages();
const browser = await chromium.launch({ ...(await browserProgram()), headless: true, args: FLAGS });
after(() => browser.close());
const eye = await Eye.open(browser);

const kinds = new Map<string, RecordedPage[]>();
for (const [index, page] of pages.entries()) {
  const kind = env.TEST_SCREENSHOTS ? String(index) : await eye.kindOf(page);
  kinds.set(kind, [...(kinds.get(kind) ?? []), page]);
}

const distinct = [...kinds.values()];
const thoroughly = new Set(inTurns(distinct));
for (const alike of distinct) {
  const [page] = alike;
  test(`people can use ${page!.name} of ${page!.by} in every look`, async () => {
    const folder = env.TEST_SCREENSHOTS;
    const found = await eye.look(page!, { folder, usual: !folder && !thoroughly.has(alike) });
    if (found.length > 0) throw new Error([...found, ...alike.map(described)].join('\n'));
  });
}

test('every page that was recorded has been looked at', () => {
  const looked = [...kinds.values()].flat().length;
  console.log(`Looked at ${kinds.size} distinct pages of the ${looked} that tests recorded.`);
  markLooked(looked);
});

const described = ({ name, by, url }: RecordedPage): string =>
  `${name} is a page of ${by}, at ${new URL(url).pathname}. To repeat: npm test -- ${by}`;
