/**
 * Finder of page parts with Playwright's own script, which it runs in every page of Chromium, here run in a test
 * window. So a role, a name, a label and a text mean exactly the same in both.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import type { Exact, Named } from './visit.ts';

export interface Parsed {
  readonly parts: readonly unknown[];
}

/** The functions of Playwright's script that are used here. */
export interface Injected {
  parseSelector(selector: string): Parsed;
  querySelectorAll(selector: Parsed, root: unknown): any[];
  strictModeViolationError(selector: Parsed, matches: readonly unknown[]): Error;
  elementState(node: unknown, state: string, frameVisible: boolean): { matches: boolean; received: string };
  retarget(node: unknown, behavior: string): any;
  selectOptions(node: unknown, options: readonly object[]): string | readonly string[];
  previewNode(node: unknown): string;
}

interface Exported {
  readonly InjectedScript: new (window: unknown, options: object) => Injected;
  getByRoleSelector(role: string, options?: Named): string;
  getByLabelSelector(text: string | RegExp, options?: Exact): string;
  getByTextSelector(text: string | RegExp, options?: Exact): string;
  getByPlaceholderSelector(text: string | RegExp, options?: Exact): string;
  escapeForTextSelector(text: string | RegExp, exact: boolean): string;
}

const EXPORTED = [
  'InjectedScript',
  'getByRoleSelector',
  'getByLabelSelector',
  'getByTextSelector',
  'getByPlaceholderSelector',
  'escapeForTextSelector',
];

/** Returns the script, which Playwright stores as a string in its bundle. */
function source(): string {
  const bundle = readFileSync(createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle'), 'utf8');
  const line = bundle.split('\n').find((one) => /^\s*source\d* = '.*InjectedScript: \(\) => InjectedScript/.test(one));
  if (!line) throw new Error('This release of Playwright keeps the script that finds parts of a page elsewhere.');
  const literal = line.slice(line.indexOf("'"), line.lastIndexOf("'") + 1);
  return new Script(literal).runInThisContext() as string;
}

let compiled: ((...globals: readonly unknown[]) => Exported) | undefined;
let compiledFor = '';

/** Returns the finder for a window, with that window's globals. */
export function selectorsOf(names: readonly string[], globals: readonly unknown[]): Exported {
  const key = names.join();
  if (!compiled || compiledFor !== key) {
    compiled = new Script(
      `(function (${key}) { const module = { exports: {} };\n${source()}\nreturn { ${EXPORTED.join()} };\n})`,
      { filename: 'selectors.js' },
    ).runInThisContext() as (...globals: readonly unknown[]) => Exported;
    compiledFor = key;
  }
  return compiled(...globals);
}

export type Selectors = ReturnType<typeof selectorsOf>;
