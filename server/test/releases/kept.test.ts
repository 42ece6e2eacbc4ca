/** Every kept release comes back to life in this one: its database, its backup, and the archive of a business. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inTurns } from '../rare.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';
import { countTables, sumsAt, type Counts } from './counts.ts';
import { GONE, MAY_BE_EMPTY } from './since.ts';
import {
  countsOf,
  differencesAt,
  emptyDatabase,
  fileOf,
  findingsAt,
  isOfARelease,
  keptReleases,
  look,
  operate,
} from './kept.ts';
import { replayDump } from './dump.ts';

const RELEASES = keptReleases().filter(isOfARelease);
/** The newest release each time, earlier ones in turns. */
const DUE = [...inTurns(RELEASES.slice(0, -1)), ...RELEASES.slice(-1)];

let folder: string;
before(() => {
  folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'kept-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the kept numbers of what still exists: a later release may have more, and declares what it removed. */
const still = <T>(kept: Readonly<Record<string, T>>, gone: Readonly<Record<string, string>>): Record<string, T> =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in gone)));

/** Returns the kept numbers of rows. That the backup was made is recorded after the dump and the backup. */
const countedIn = ({ tables }: Counts): Record<string, number> => still({ ...tables, backup_record: 0 }, GONE.tables);

/** Returns the values of the names that were kept. */
const likewise = <T>(kept: Readonly<Record<string, unknown>>, now: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.keys(kept).map((name) => [name, now[name]]));

test('the state of a release has rows in every table, except those with a reason', () => {
  for (const release of RELEASES) {
    const { tables } = countsOf(release);
    const empty = Object.keys(tables).filter((name) => tables[name] === 0 && !MAY_BE_EMPTY.has(name));
    assert.deepEqual(empty, [], release);
    assert.ok(Object.keys(tables).length > 200);
  }
});

/** Compares everything with what was kept. */
async function checkSame(url: string, kept: Counts, context: string): Promise<void> {
  const now = await look(url, folder, kept);
  const tables = countedIn(kept);
  assert.deepEqual(likewise(tables, now.tables), tables, `${context}: rows`);
  assert.deepEqual(now.sums, kept.sums, `${context}: sums`);
  assert.deepEqual(now.differences, kept.differences, `${context}: the ledger`);
  assert.deepEqual(now.differences[kept.studio], [], `${context}: exact books`);
  const found = now.findings.filter((finding) => !kept.findings.includes(finding));
  assert.deepEqual(found, [], `${context}: the doctor`);
  for (const business of [kept.studio, kept.filled]) {
    const shown = still(kept.shown[business], GONE.addresses);
    assert.ok(Object.keys(shown).length > 100);
    assert.deepEqual(likewise(shown, now.shown[business]), shown, `${context}: the interface`);
  }
}

for (const release of DUE) {
  test(`the database of ${release} migrates to this release, and everything in it is still there`, async () => {
    const { url, drop } = await emptyDatabase();
    try {
      await replayDump(url, fileOf(release, 'dump'));
      await prepareDatabase(url);
      await checkSame(url, countsOf(release), 'database');
    } finally {
      await drop();
    }
  });

  test(`a backup of ${release} is restored by this release, with the same rows, sums and books`, async () => {
    const kept = countsOf(release);
    const { url, drop } = await emptyDatabase();
    try {
      await operate(url, folder, ['restore', fileOf(release, 'backup')]);
      const tables = countedIn(kept);
      assert.deepEqual(likewise(tables, await countTables(url)), tables);
      for (const business of [kept.studio, kept.filled]) {
        assert.deepEqual(await sumsAt(url, business), kept.sums[business]);
        assert.deepEqual(await differencesAt(url, folder, business), kept.differences[business]);
      }
      assert.deepEqual(
        (await findingsAt(url)).filter((finding) => !kept.findings.includes(finding)),
        [],
      );
    } finally {
      await drop();
    }
  });

  test(`a business arrives from an archive of ${release}, with the same sums and exact books`, async () => {
    const kept = countsOf(release);
    const { url, drop } = await emptyDatabase();
    try {
      await prepareDatabase(url);
      await operate(url, folder, ['import', 'business', fileOf(release, 'archive')]);
      assert.deepEqual(await sumsAt(url, kept.studio), kept.sums[kept.studio]);
      assert.deepEqual(await differencesAt(url, folder, kept.studio), []);
    } finally {
      await drop();
    }
  });
}
