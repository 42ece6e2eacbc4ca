/** The source files of the dashboard's program, for tests that check all of it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const WEB = fileURLToPath(new URL('../../../../../web/dashboard/src/', import.meta.url));

export interface Source {
  /** below `web/dashboard/src` */
  readonly file: string;
  readonly text: string;
}

export const sources: readonly Source[] = globSync('**/*.{ts,tsx}', { cwd: WEB })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(WEB, file), 'utf8') }));

/** Operations of the interface that it calls, such as `GET /events`. */
export const used: ReadonlySet<string> = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/[^']*)'/g)].map(([, name]) => name),
  ),
);
