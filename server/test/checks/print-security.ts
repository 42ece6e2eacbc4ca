/** Writes the lists of tests into docs/security.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProofs, withProofs } from './guards.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = `${ROOT}docs/security.md`;

writeFileSync(PAGE, withProofs(readFileSync(PAGE, 'utf8'), findProofs(ROOT)));
