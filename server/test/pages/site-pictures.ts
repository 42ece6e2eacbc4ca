/**
 * Creates the screenshots of the README: the booking site of the demo business in a browser. `npm run pictures` starts
 * a separate service in a temporary folder, and writes docs/pictures.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { browserProgram } from './browser-program.ts';
import { DEMO_SITE as SITE, startDemo } from '../processes/demo-service.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const INTO = join(ROOT, 'docs/pictures');
const MAX_BYTES = 150 * 1024;

/** A day with events that can all still be booked. */
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

const PICTURES = [
  { name: 'home', path: SITE, width: 1280, height: 1560, scale: 1 },
  { name: 'timetable', path: `${SITE}/timetable?day=${tomorrow}`, width: 420, height: 1024, scale: 1.5 },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'rollcall-pictures-'));
process.env.TEST_FOLDER ??= folder;
const demo = await startDemo(folder);
try {
  const browser = await chromium.launch({ ...(await browserProgram()), headless: true, args: ['--no-sandbox'] });
  try {
    mkdirSync(INTO, { recursive: true });
    for (const { name, path, width, height, scale } of PICTURES) {
      const page = await browser.newPage({
        baseURL: demo.url,
        viewport: { width, height },
        deviceScaleFactor: scale,
        locale: 'en-CA',
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      const bytes = await sharp(await page.screenshot())
        .webp({ quality: 82, effort: 6 })
        .toBuffer();
      if (bytes.length > MAX_BYTES) throw new Error(`${name} has ${bytes.length} bytes: at most ${MAX_BYTES}`);
      writeFileSync(join(INTO, `${name}.webp`), bytes);
      process.stdout.write(`docs/pictures/${name}.webp ${Math.round(bytes.length / 1024)} KB\n`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
} finally {
  await demo.end();
  rmSync(folder, { recursive: true, force: true });
}
