/** The sources as the runner sees them: who imports whom, and what a test reaches of its harness. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from '../import-rules.ts';
import { importsOf } from '../imports.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

export const TESTS = ['server', 'bench', 'deploy', 'sdk', 'web'].map((folder) => `${folder}/**/*.test.ts`);
const CODE = ['server/**/*.ts', 'bench/**/*.ts', 'deploy/**/*.ts', 'sdk/**/*.ts', 'web/**/*.{ts,tsx}'];

export const codeFiles = (): string[] => globSync(CODE, { cwd: ROOT }).toSorted();

/** Empty where a source names a file that isn't there, as the examples of a test do. */
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

  /** Our own files that this one loads; an import of types loads nothing. */
  imports(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const found = importsOf(path, this.text(path))
      .filter(({ to, typeOnly }) => !typeOnly && /\.tsx?$/.test(to))
      .map(({ to }) => to);
    this.#imports.set(path, found);
    return found;
  }

  /** What a test reaches of the tests and their harness. What ships imports none of these, so it needs no reading. */
  harnessOf(test: string): ReadonlySet<string> {
    const reached = new Set([test]);
    for (const path of reached)
      if (isTest(path) || /^(?:bench|deploy)\//.test(path)) for (const to of this.imports(path)) reached.add(to);
    return reached;
  }
}
