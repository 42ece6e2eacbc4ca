/** Freezes the migrations of this release: `npm run release:freeze`, as part of a release (CONTRIBUTING.md). */
import { writeFileSync } from 'node:fs';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { readReleased, RELEASED_FILE, withRelease } from './released.ts';

const before = readReleased();
const after = withRelease(before, readMigrations(MIGRATIONS_DIR), RELEASE);
writeFileSync(RELEASED_FILE, `${JSON.stringify(after, null, 2)}\n`);
console.log(`Release ${RELEASE} freezes ${after.length - before.length} migrations, ${after.length} in all.`);
