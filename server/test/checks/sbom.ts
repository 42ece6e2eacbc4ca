// Prints the contents of a release as CycloneDX (a software bill of materials): `npm run sbom > rollcall.cdx.json`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Works around `npm sbom --omit=dev`, which leaves out every package that a development tool uses too, such as `jose`
 * and `nodemailer`: npm gets a copy of the lock file without the packages that are only for development.
 */
export function materials(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-sbom-'));
  try {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    delete manifest.devDependencies;
    delete lock.packages[''].devDependencies;
    lock.packages = Object.fromEntries(
      Object.entries<{ dev?: boolean }>(lock.packages).filter(([, entry]) => !entry.dev),
    );
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    return execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(materials());
