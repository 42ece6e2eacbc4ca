/** The sources from the runner's side: imports among files, and the harness that each test uses. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from '../checks/import-rules.ts';
import { importsOf } from '../checks/imports.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

const TESTS = ['server', 'bench', 'deploy', 'sdk', 'web'].map((folder) => `${folder}/**/*.test.ts`);
const CODE = ['server/**/*.ts', 'bench/**/*.ts', 'deploy/**/*.ts', 'sdk/**/*.ts', 'web/**/*.{ts,tsx}'];

const isFolder = (name: string): boolean =>
  statSync(join(ROOT, name), { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the test files of these files, globs and folders, in order; all test files if nothing is named. */
export const testFiles = (named: readonly string[]): string[] =>
  globSync(named.length > 0 ? named.map((name) => (isFolder(name) ? join(name, '**', '*.test.ts') : name)) : TESTS, {
    cwd: ROOT,
  }).toSorted();

export const codeFiles = (): string[] => globSync(CODE, { cwd: ROOT }).toSorted();

/** Returns an empty source if the file doesn't exist, as in the examples of a test. */
const readSource = (path: string): string => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Reads each file once. */
export class Sources {
  readonly #texts = new Map<string, string>();
  readonly #imports = new Map<string, readonly string[]>();
  readonly #read: (path: string) => string;

  constructor(read = readSource) {
    this.#read = read;
  }

  text(path: string): string {
    const text = this.#texts.get(path) ?? this.#read(path);
    this.#texts.set(path, text);
    return text;
  }

  /** Returns our own files that this one loads; a type import loads nothing. */
  imports(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const found = importsOf(path, this.text(path))
      .filter(({ to, typeOnly }) => !typeOnly && /\.tsx?$/.test(to))
      .map(({ to }) => to);
    this.#imports.set(path, found);
    return found;
  }

  /**
   * Returns the tests and harness files that a test imports, directly or indirectly. Files that ship import none of
   * these, so they aren't read.
   */
  harnessOf(test: string): ReadonlySet<string> {
    const reached = new Set([test]);
    for (const path of reached)
      if (isTest(path) || /^(?:bench|deploy)\//.test(path)) for (const to of this.imports(path)) reached.add(to);
    return reached;
  }
}
