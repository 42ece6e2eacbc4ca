/**
 * Keeps the state of this release for the tests of later ones: `npm run release:keep`, as part of a release
 * (CONTRIBUTING.md). It takes some minutes.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlace } from '../runner/place.ts';
import { RELEASE } from '../../kernel/base/release.ts';

const place = await startPlace(true);
Object.assign(process.env, place.env);
// Loaded when the settings of the tests are known.
const { freshDatabase } = await import('../database.ts');
const { keepState, KEPT } = await import('./kept.ts');
const dataDir = mkdtempSync(join(place.folder, 'kept-'));
const folder = join(KEPT, RELEASE);
try {
  const database = await freshDatabase();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { counts, files } = await keepState(database, dataDir, folder);
  writeFileSync(join(folder, 'counts.json'), `${JSON.stringify(counts, null, 2)}\n`);
  for (const file of files) console.log(`${file} ${Math.round(statSync(file).size / 1000)} kB`);
  console.log(`Kept the state of release ${RELEASE}: ${Object.keys(counts.tables).length} tables.`);
  await database.drop();
} finally {
  await place.remove();
}
