/** The browser of the tests: a Chromium that npm brings along, packed; unpacked once for a whole run of the tests. */
import { access, constants, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PARTS = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];

export interface BrowserProgram {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * @throws Error where no browser can run, with a remedy: tests that need one fail and say so, they are never passed
 * over.
 */
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
      'Tests with a browser run through npm test (npm test -- FILE for one file): it keeps the unpacked browser for them.',
    );
  const ready = await unpackedIn(folder!);
  return {
    executablePath: join(ready, 'chromium'),
    // Its own libraries and fonts: the machine needs neither, and pages look alike everywhere.
    env: {
      ...inherited(),
      LD_LIBRARY_PATH: join(ready, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(ready, 'fonts'),
      HOME: ready,
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
 * Test files run side by side and may unpack at once: the first that is done gives its folder the name, the others take
 * that one.
 */
async function unpackedIn(folder: string): Promise<string> {
  const ready = join(folder, 'browser');
  if (await exists(ready)) return ready;
  await mkdir(folder, { recursive: true });
  const mine = await mkdtemp(join(folder, 'unpacking-'));
  await unpackInto(mine);
  await writeFile(join(mine, 'fonts', 'fonts.conf'), fontSettings(ready));
  try {
    await rename(mine, ready);
  } catch (error) {
    await rm(mine, { recursive: true, force: true });
    if (!(await exists(ready))) throw error;
  }
  return ready;
}

/**
 * The settings that come packed name folders of another machine; without any font a page that shows text ends the
 * browser.
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
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
  // The package unpacks into the folder for temporary files, wherever that is said to be.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await Promise.all(PARTS.map((part) => inflate(join(packed, part))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
