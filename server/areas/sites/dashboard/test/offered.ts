/** Which screens of the dashboard offer an operation, read from the sources of the program. */
import { dirname, join, normalize } from 'node:path';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('../../../../../web/dashboard/src/', import.meta.url));

/** Leads to every screen, whichever of them imports it. */
const CROSSROADS = 'screens.ts';

/** Around every screen. */
export const SHELL = 'shell';

const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(WEB, file), 'utf8')]),
);

/** The files of the program that a file takes in, at once or when they are needed. */
const importsOf = (file: string): string[] =>
  // Types bring nothing along.
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

/** The operations that a file names: whole, or with a part that is only known when it runs. */
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

/** Names of screens, each with the file that it begins with. */
function entries(): [string, string][] {
  const found = [
    ...sources.get('screens.ts')!.matchAll(/^ {2}(\w+): \{(?:(?!^ {2}\w+: \{).)*?import\('\.\/([^']+)'\)/gms),
  ].map(([, name, file]): [string, string] => [name, file]);
  for (const [name, file] of found)
    if (!existsSync(join(WEB, file))) throw new Error(`the screen ${name} begins with ${file}, which isn’t there`);
  return [...found, [SHELL, 'main.tsx']];
}

const isAllOf = /\/reports\/[^/]+\//;

/** Every report has the same operations: `GET /reports/{report}/data`. */
export const familyOf = (operation: string): string => operation.replace(isAllOf, '/reports/{report}/');

/** For each operation the screens that offer it, in their order; those that the shell offers are offered everywhere. */
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
