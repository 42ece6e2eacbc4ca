/**
 * The last file of a run: looks once at each distinct page that the others have recorded and that isn't known from a
 * run before (looked.ts). It is no `*.test.ts`, because it has something to look at only after them; see run.ts.
 *
 * TEST_SCREENSHOTS  a folder that keeps each page in each look as `name-look.png`; then every page is looked at
 */
import { env } from 'node:process';
import { after, test } from 'node:test';
import { sharedBrowser } from './browser.ts';
import { Eye } from './look-at.ts';
import { keepGood, lookedBy, readLooked } from './looked.ts';
import { inTurns } from '../rare.ts';
import { markLooked, recordedPages, type RecordedPage } from './looks.ts';

const pages = recordedPages();
const browser = await sharedBrowser();
const eye = await Eye.open(browser);
after(() => eye.close());

const folder = env.TEST_SCREENSHOTS;
const kinds = new Map<string, RecordedPage[]>();
for (const [index, page] of pages.entries()) {
  const kind = folder ? String(index) : await eye.kindOf(page);
  kinds.set(kind, [...(kinds.get(kind) ?? []), page]);
}

const by = lookedBy(browser.version());
const before = readLooked();
const known = new Set(before.by === by ? before.kinds : []);
const thoroughly = new Set(folder ? kinds.keys() : inTurns([...kinds.keys()], 10));
const due = [...kinds].filter(([kind]) => thoroughly.has(kind) || !known.has(kind));
const good = new Set([...kinds.keys()].filter((kind) => known.has(kind)));
for (const [kind, alike] of due) {
  const [page] = alike;
  test(`people can use ${page!.name} of ${page!.by} in every look`, async () => {
    good.delete(kind);
    const found = await eye.look(page!, { folder, usual: !thoroughly.has(kind) });
    if (found.length > 0) throw new Error([...found, ...alike.map(described)].join('\n'));
    good.add(kind);
  });
}

test('every page that was recorded has been looked at, in this run or as it is by one before', () => {
  const looked = [...kinds.values()].flat().length;
  const others =
    before.by === by
      ? 'The others are known.'
      : 'None was known: the checks or the browser have changed since `npm test -- --record` wrote looked.json.';
  console.log(`Looked at ${due.length} of ${kinds.size} distinct pages, from ${looked} that tests recorded. ${others}`);
  markLooked(looked);
  if (!folder) keepGood(env.TEST_FOLDER!, { by, kinds: [...good] });
});

const described = ({ name, by, url }: RecordedPage): string =>
  `${name} is a page of ${by}, at ${new URL(url).pathname}. To repeat: npm test -- ${by}`;
