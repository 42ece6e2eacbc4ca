/**
 * Bundles the service into a few files, with the packages that it uses: they load in a third of the time that thousands
 * of modules take. The sources remain the program; a bundle is built from them, and ignored as soon as they change.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type OutputChunk } from 'rolldown';
import { LIST, marksOf, type SourceList } from '../bin/bundled.mjs';
import { linesOf } from './bundle-lines.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages with binaries or files of their own, those that build bundles, and those that a package loads only for what
 * we don't do.
 */
const APART = ['sharp', 'pino', 'vite', 'rolldown', 'pdfkit', 'pg-native', 'typescript'];

/** Bundles that processes may still load parts of: an update must not remove them. */
const MAX_BUNDLES = 3;

/**
 * Those packages as patterns, so that the bundler decides on 25,000 imports without a call into JavaScript for each.
 */
const LEFT_OUT = APART.map((name) => new RegExp(`^${RegExp.escape(name)}(?:/|$)`));

const isPackage = (id: string): boolean => id.includes(`${sep}node_modules${sep}`);

/** Makes modules read the files next to their source. */
const sourcePlaces = (folder: string) => ({
  name: 'source-places',
  transform: {
    filter: { code: /import\.meta\.(url|dirname)/ },
    handler(code: string, id: string): string | null {
      if (isPackage(id) || id.startsWith('\0')) return null;
      const place = `new URL(${JSON.stringify(relative(folder, id).replaceAll(sep, '/'))}, import.meta.url)`;
      return code
        .replaceAll('import.meta.url', `${place}.href`)
        .replaceAll('import.meta.dirname', `process.getBuiltinModule('node:path').dirname(${place}.pathname)`);
    },
  },
});

/**
 * Replacing source paths moves code only within a line, so line numbers stay right; the cycles are those of packages.
 */
const QUIET = new Set(['SOURCEMAP_BROKEN', 'CIRCULAR_DEPENDENCY', 'EVAL', 'COMMONJS_VARIABLE_IN_ESM']);

/**
 * Escapes non-ASCII letters: with one letter beyond Latin-1, a file takes twice the memory. Escapes are equivalent
 * wherever such letters occur.
 */
const inAscii = (code: string): string =>
  code.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Bundles these programs, by name, into a folder of its own below `into`, and records its sources.
 * @returns the folder
 */
export async function bundle(programs: Readonly<Record<string, string>>, into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  const aside = join(into, `${process.pid}.part`);
  const began = Math.floor(Date.now() / 1000);
  const build = await rolldown({
    input: { ...programs },
    platform: 'node',
    external: LEFT_OUT,
    plugins: [sourcePlaces(aside)],
    onLog(level, log) {
      if (level === 'warn' && !QUIET.has(log.code ?? '')) console.warn(log.message);
    },
  });
  const { output } = await build.generate({
    format: 'esm',
    sourcemap: 'hidden',
    keepNames: true,
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await build.close();
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  const sum = createHash('sha256').update(process.version);
  for (const { fileName, code } of chunks) sum.update(`${fileName}\n${code}`);
  const folder = join(into, sum.digest('hex').slice(0, 16));
  try {
    mkdirSync(aside);
    for (const { fileName, code, map } of chunks) {
      const ascii = inAscii(code);
      writeFileSync(join(aside, fileName), ascii);
      if (map)
        writeLines(
          join(aside, fileName),
          linesOf(code, map, (source) => relative(ROOT, join(aside, source))),
        );
    }
    if (!existsSync(folder)) place(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  record(folder, chunks, began);
  removeEarlier(into, folder);
  return folder;
}

function writeLines(file: string, { sources, places }: ReturnType<typeof linesOf>): void {
  writeFileSync(`${file}.sources`, JSON.stringify(sources));
  writeFileSync(`${file}.lines`, new Uint8Array(places.buffer));
}

/** Moves a finished folder into place: it is complete, or does not exist. */
function place(aside: string, folder: string): void {
  try {
    renameSync(aside, folder);
  } catch (error) {
    // Another process was faster with the same bundle.
    if (!existsSync(folder)) throw error;
  }
}

/** Writes the list of sources. `began`: the second in which the sources began to be read. */
function record(folder: string, chunks: readonly OutputChunk[], began: number): void {
  const own = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(ROOT) && !isPackage(id))
    .concat(fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json'));
  const sources: SourceList = {
    node: process.version,
    folder: basename(folder),
    files: Object.fromEntries(
      own.map((file) => {
        const [size, seconds] = marksOf(file);
        // A change within the same second would be missed: such a bundle is built again.
        return [relative(ROOT, file), [size, seconds < began ? seconds : -1]];
      }),
    ),
  };
  const list = join(dirname(folder), LIST);
  writeFileSync(`${list}.${process.pid}`, JSON.stringify(sources));
  renameSync(`${list}.${process.pid}`, list);
}

function removeEarlier(into: string, folder: string): void {
  const earlier = readdirSync(into)
    .filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== basename(folder))
    .map((name) => ({ path: join(into, name), made: statSync(join(into, name)).mtimeMs }))
    .toSorted((a, b) => b.made - a.made);
  for (const { path } of earlier.slice(MAX_BUNDLES - 1)) rmSync(path, { recursive: true, force: true });
}
