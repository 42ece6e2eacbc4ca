/**
 * The test files that a change can reach. Two facts about imports would make every test depend on everything:
 * server/app.ts composes the service, and tests start the whole of it. So the imports of areas in app.ts don't count.
 * Instead, a test of an area depends on the declarations of its area, and the tests over all declarations (those in
 * server/test without a browser or processes of their own) are always included.
 */
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { codeFiles, ROOT, type Sources } from './sources.ts';

const COMPOSITION_ROOT = 'server/app.ts';
const BUILDS_DASHBOARD = 'server/areas/sites/dashboard/built.ts';
/** Kept by `--record`: the order of files, and pages that are known. Neither changes what a test finds. */
const RECORDS = new Set(['server/test/times.json', 'server/test/pages/looked.json']);
const isCode = (path: string): boolean => /\.tsx?$/.test(path);
const isTestFile = (path: string): boolean => path.endsWith('.test.ts');
const areaOf = (path: string): string | undefined => /^server\/areas\/[^/]+\/[^/]+\//.exec(path)?.[0];

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\0')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Returns the files changed in the working tree since it left `origin/main` (otherwise `main`, otherwise the last
 * commit), including untracked files; null if there is no git.
 */
export function changedFiles(): string[] | null {
  try {
    const base = ['origin/main', 'main', 'HEAD'].flatMap((name) => {
      try {
        return git('merge-base', 'HEAD', name);
      } catch {
        return [];
      }
    })[0];
    return [...git('diff', '--name-only', '-z', base!), ...git('ls-files', '--others', '--exclude-standard', '-z')];
  } catch {
    return null;
  }
}

/**
 * Returns the test files in `code` that a change of `changed` can reach; 'all' if that is unknown or if the change
 * affects everything, such as a migration or a package.
 */
export function reachedBy(changed: readonly string[], code: readonly string[], sources: Sources): 'all' | Set<string> {
  const known = new Set(code);
  const importers = new Map<string, string[]>();
  const add = (from: string, to: string): void => void importers.set(to, [...(importers.get(to) ?? []), from]);
  for (const from of code) {
    for (const to of sources.imports(from)) if (from !== COMPOSITION_ROOT || !areaOf(to)) add(from, to);
    const area = isTestFile(from) ? areaOf(from) : undefined;
    if (area && from !== `${area}index.ts`) add(from, `${area}index.ts`);
    if (from.startsWith('web/dashboard/') && !isTestFile(from)) add(BUILDS_DASHBOARD, from);
  }
  const begun: string[] = [];
  for (const path of changed.filter((one) => !RECORDS.has(one))) {
    // A deleted file had importers, which have changed too.
    if (isCode(path)) {
      if (known.has(path)) begun.push(path);
      continue;
    }
    const readers = readersOf(path, code, sources);
    if (readers.length === 0) return 'all';
    begun.push(...readers);
  }
  const reached = new Set(begun);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return new Set([...reached].filter((path) => isTestFile(path) && known.has(path)));
}

/**
 * Returns the code that reads a file that is not code: code that names it, and code next to it or in the nearest folder
 * above.
 */
function readersOf(path: string, code: readonly string[], sources: Sources): string[] {
  const folders = path.split('/');
  const name = folders.at(-1)!;
  if (folders.length === 1 ? !name.endsWith('.md') : /^(?:db|bin|\.ci)$/.test(folders[0]!)) return [];
  // One path reads the texts of every language, so code names their folder.
  const named = folders[0] === 'docs' ? 'docs/' : folders.includes('texts') ? dirname(path) : name;
  const naming = code.filter((file) => sources.text(file).includes(named));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const beside = code.filter((file) => dirname(file) === folder && !isTestFile(file));
    if (beside.length > 0) return [...new Set([...naming, ...beside])];
  }
  return naming;
}

/** Returns the test files that the changes of this working tree reach. */
export function reachedHere(sources: Sources): 'all' | Set<string> {
  const changed = changedFiles();
  return changed === null ? 'all' : reachedBy(changed, codeFiles(), sources);
}
