/**
 * The built program of the dashboard as one script, which test windows run: exactly what browsers get, joined again
 * from its files. It is compiled once for each process, however many windows run it.
 */
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { rolldown } from 'rolldown';
import { build, SHIPPED } from '../../built.ts';

/** A script whose free names are parameters, so that each window has its own globals. */
export type Run = (...globals: readonly unknown[]) => Promise<void>;

export interface OneScript {
  /** names of the parameters of the function that `compiled` returns */
  compiled(names: readonly string[]): Run;
  /** all style sheets of the program */
  readonly styles: string;
}

let made: Promise<OneScript> | undefined;

/** Returns the program, and builds it if necessary. */
export const oneScript = (): Promise<OneScript> => (made ??= make());

async function make(): Promise<OneScript> {
  const folder = await build(SHIPPED);
  const source = await sourceOf(folder);
  const styles = globSync('assets/*.css', { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const scripts = new Map<string, Run>();
  return {
    styles,
    compiled(names) {
      const key = names.join();
      let run = scripts.get(key);
      if (!run) {
        run = new Script(`(async function (${key}) {${source}\n})`, {
          filename: 'dashboard.js',
        }).runInThisContext() as Run;
        scripts.set(key, run);
      }
      return run;
    },
  };
}

/** Returns the joined source, stored next to the build under its name: joining takes longer than running it. */
async function sourceOf(folder: string): Promise<string> {
  const file = join(SHIPPED, `script-of-${basename(folder)}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const [, entry] = /<script type="module"[^>]* src="\/dashboard\/([^"]+)"/.exec(
    readFileSync(join(folder, 'index.html'), 'utf8'),
  )!;
  const bundle = await rolldown({ input: join(folder, entry), platform: 'browser', treeshake: false });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  // A function has no `import.meta`.
  const source = output[0].code.replaceAll('import.meta.', 'importMeta.');
  const aside = `${file}.${process.pid}.part`;
  writeFileSync(aside, source);
  renameSync(aside, file);
  for (const other of globSync('script-of-*.js', { cwd: SHIPPED }))
    if (other !== basename(file)) rmSync(join(SHIPPED, other), { force: true });
  return source;
}
