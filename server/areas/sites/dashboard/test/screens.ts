/** The screens of the dashboard, as its program lists them, for tests that visit all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerHooks } from 'node:module';
import { allSeeds } from '../../../../test/seeds.ts';
import { WEB } from './program.ts';
import type { World } from '../../../../test/world.ts';

export interface Screen {
  readonly name: string;
  /** below `/dashboard/{business}/`; parameters begin with `$` */
  readonly path: string;
  /** shown in the navigation */
  readonly icon?: string;
  readonly group?: string;
  /** any of these permissions is enough; empty: everybody who works there */
  readonly needs: readonly string[];
  /** in the language of the tests */
  readonly title: string;
  /** source file, below `web/dashboard` */
  readonly source: string;
}

type Listed = Omit<Screen, 'name' | 'title' | 'source'>;

// The build generates the icons; here the name of each is enough.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('icon:')
      ? { url: `data:text/javascript,export default '${specifier}'`, shortCircuit: true }
      : next(specifier, context),
});

const { SCREENS } = (await import(`${WEB}screens.ts`)) as { SCREENS: Record<string, Listed> };
const { SCREEN_FILES } = (await import(`${WEB}screen-files.ts`)) as { SCREEN_FILES: Record<string, () => unknown> };
const said = JSON.parse(readFileSync(join(WEB, '../texts/en.json'), 'utf8')).shell as Record<string, string>;

export const screens: readonly Screen[] = Object.entries(SCREENS).map(([name, screen]) => ({
  ...screen,
  name,
  title: said[`screen.${name}`],
  source: join('src', /import\(['"](.*?)['"]\)/.exec(String(SCREEN_FILES[name]))![1]),
}));

/** Parameters that are not named after the resource whose id they are. */
const RESOURCES: Readonly<Record<string, string>> = {
  broadcast: 'broadcast_message',
  dates: 'course_date_series',
  schedule: 'availability_schedule',
  workflow: 'crm_workflow',
};

/** Parameters that are words. */
const WORDS: Readonly<Record<string, string>> = { report: 'attendances', part: 'business' };

/** Returns an address of the screen with something to see. */
export async function addressOf(world: World, { path }: Screen): Promise<string> {
  const seeds = await allSeeds();
  const parts = path.split('/').map(async (part) => {
    if (!part.startsWith('$')) return part;
    const name = part.slice(1);
    const resource = RESOURCES[name] ?? name;
    if (WORDS[name] === undefined && !seeds[resource])
      throw new Error(`"${path}": say in test/screens.ts what "${name}" is, for no resource is called so`);
    return WORDS[name] ?? seeds[resource](world, world.harbour);
  });
  return (await Promise.all(parts)).join('/');
}
