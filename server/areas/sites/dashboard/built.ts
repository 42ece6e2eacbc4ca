/**
 * The program of the dashboard, built at the first start after an update: in a separate process, so that requests are
 * answered meanwhile, and stored under a name derived from its sources.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { DataDirInUse, lockDataDir } from '../../../kernel/base/db/embedded/data-dir-lock.ts';
import { unpackedWhenAsked, type Document } from '../../../kernel/pages/document.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The project's own folder for builds, which `rollcall build` fills before there is a data folder. */
export const SHIPPED = join(ROOT, 'build');
const BUILDER = join(ROOT, 'web', 'build.ts');
const LOOKED_AT = [
  'web/**/*.{ts,tsx,css,html,json}',
  'sdk/src/*.ts',
  'server/kernel/pages/style/*.css',
  'package-lock.json',
];
/** Pause before another look at a build of another process. */
const WAIT_MS = 100;
/** Printed from the declarations, and types only: it doesn't affect the build. */
const ERASED = join('sdk', 'src', 'interface.ts');

/** Returns the name of the build of these sources with this version of Node. */
export function nameOfBuild(root = ROOT): string {
  const sum = createHash('sha256').update(process.version);
  for (const file of globSync(LOOKED_AT, { cwd: root }).toSorted())
    if (file !== ERASED) sum.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return `dashboard-${sum.digest('hex').slice(0, 16)}`;
}

export interface Built {
  readonly page: Document;
  /** by their names below `/dashboard/assets` */
  readonly assets: ReadonlyMap<string, Document>;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

function read(folder: string): Built {
  const all = new Set(readdirSync(join(folder, 'assets')));
  const files = [...all].filter((name) => !name.endsWith('.br'));
  const document = (name: string): Document => {
    const what = { type: TYPES[name.split('.').at(-1)!] ?? 'text/plain; charset=utf-8', headers: FOR_EVER };
    const file = join(folder, 'assets', name);
    return all.has(`${name}.br`)
      ? unpackedWhenAsked(what, readFileSync(`${file}.br`))
      : { ...what, body: readFileSync(file, 'utf8') };
  };
  return {
    page: {
      type: 'text/html; charset=utf-8',
      body: readFileSync(join(folder, 'index.html'), 'utf8'),
      headers: { 'cache-control': 'no-cache' },
    },
    assets: new Map(files.map((name) => [name, document(name)])),
  };
}

/**
 * Builds into `<into>/<name>` unless it exists; resolves to the folder. The build is written elsewhere and renamed, so
 * it is complete or missing. Another process that needs the same build meanwhile waits for it.
 */
export async function build(into: string, name = nameOfBuild()): Promise<string> {
  const folder = join(resolve(into), name);
  if (existsSync(folder)) return folder;
  mkdirSync(into, { recursive: true });
  const lock = await lockUnless(() => existsSync(folder), into);
  try {
    if (!existsSync(folder)) await buildInto(folder);
  } finally {
    lock?.release();
  }
  for (const earlier of readdirSync(into))
    if (/^dashboard-[0-9a-f]{16}$/.test(earlier) && earlier !== name)
      rmSync(join(into, earlier), { recursive: true, force: true });
  return folder;
}

/** Locks the folder of builds as soon as no other process has it; null: nothing is left to do. */
async function lockUnless(isDone: () => boolean, into: string): Promise<{ release(): void } | null> {
  while (!isDone()) {
    try {
      return await lockDataDir(into);
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      await sleep(WAIT_MS);
    }
  }
  return null;
}

async function buildInto(folder: string): Promise<void> {
  const aside = `${folder}.${process.pid}.part`;
  try {
    await run(aside);
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const run = (into: string): Promise<void> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [BUILDER, into], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => (said = (said + text).slice(-4000)));
    // Stops the build: it doesn't outlive the service, and leaves nothing partial.
    const end = (): void => {
      child.kill('SIGKILL');
      rmSync(into, { recursive: true, force: true });
    };
    process.once('exit', end);
    child.on('error', failed);
    child.on('exit', (code) => {
      process.off('exit', end);
      if (code === 0) done();
      else failed(new Error(`the dashboard could not be built (exit ${code}): ${said}`));
    });
  });

function mayWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export class Dashboard {
  readonly #into: string;
  #built?: Built;
  #building?: Promise<Built>;

  /** `dataDir`: where the build is stored if the project's own folder can't be written */
  constructor(dataDir: string) {
    this.#into = join(dataDir, 'web');
  }

  /** Returns the build; null if there is none yet. */
  get built(): Built | null {
    return this.#built ?? null;
  }

  /**
   * Builds the program once, unless it was built before; after a failure, the next call tries again. `onBuild` is
   * called if there is something to build.
   */
  ready(onBuild?: () => void): Promise<Built> {
    return (this.#building ??= this.#build(onBuild).catch((error) => {
      this.#building = undefined;
      throw error;
    }));
  }

  async #build(onBuild?: () => void): Promise<Built> {
    const name = nameOfBuild();
    const isShipped = existsSync(join(SHIPPED, name));
    const into = isShipped || mayWrite(SHIPPED) ? SHIPPED : this.#into;
    if (!existsSync(join(into, name))) onBuild?.();
    return (this.#built = read(await build(into, name)));
  }
}
