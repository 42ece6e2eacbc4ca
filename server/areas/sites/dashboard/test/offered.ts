/** The screens of the dashboard that offer an operation, found in the sources of the program. */
import { dirname, join, normalize } from 'node:path';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('../../../../../web/dashboard/src/', import.meta.url));

/** Imports every screen, so its own imports are not followed. */
const CROSSROADS = 'screen-files.ts';

/** The frame around every screen. */
export const SHELL = 'shell';

const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(WEB, file), 'utf8')]),
);

/** Returns the files that a file imports, statically or dynamically. */
const importsOf = (file: string): string[] =>
  // Type imports add nothing.
  [
    ...sources
      .get(file)!
      .replaceAll(/^import type [^;]*;/gm, '')
      .matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g),
  ]
    .map(([, path]) => normalize(join(dirname(file), path)))
    .filter((path) => sources.has(path));

function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const file of reached) if (file !== CROSSROADS) for (const next of importsOf(file)) reached.add(next);
  return reached;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns patterns for the operations that a file names: in full, or with a part that is only known at run time. */
const namedIn = (file: string): RegExp[] =>
  [...sources.get(file)!.matchAll(/(['`])((?:GET|POST|PUT|PATCH|DELETE) \/[^'`\n]*)\1/g)].map(
    ([, , name]) =>
      new RegExp(
        `^${name
          .split(/\$\{[^}]*\}/)
          .map(escaped)
          .join('[^/]+')}$`,
      ),
  );

/** Returns the names of screens, each with its entry file. */
function entries(): [string, string][] {
  const found = [...sources.get(CROSSROADS)!.matchAll(/^ {2}(\w+): \(\) => import\('\.\/([^']+)'\)/gm)].map(
    ([, name, file]): [string, string] => [name, file],
  );
  for (const [name, file] of found)
    if (!existsSync(join(WEB, file))) throw new Error(`the screen ${name} begins with ${file}, which isn’t there`);
  return [...found, [SHELL, 'main.tsx']];
}

const isAllOf = /\/reports\/[^/]+\//;

/** Returns an operation without its report: every report has the same ones, `GET /reports/{report}/data`. */
export const familyOf = (operation: string): string => operation.replace(isAllOf, '/reports/{report}/');

/** Returns the screens that offer each operation, in their order; those of the shell are offered everywhere. */
export function offeredBy(operations: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const screens = entries().map(([screen, entry]) => ({
    screen,
    named: [...reachedFrom(entry)].flatMap(namedIn),
  }));
  return new Map(
    operations.map((operation) => [
      operation,
      screens.filter(({ named }) => named.some((one) => one.test(operation))).map(({ screen }) => screen),
    ]),
  );
}
