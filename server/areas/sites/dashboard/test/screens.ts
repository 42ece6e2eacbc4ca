/** The screens of the dashboard, as its program lists them, for tests that go over all of them. */
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
  /** it stands in the navigation */
  readonly icon?: string;
  readonly group?: string;
  /** any of these permissions; none: everybody who works there */
  readonly needs: readonly string[];
  /** in the language of the tests */
  readonly title: string;
  /** the file that it is loaded from, below `web/dashboard` */
  readonly source: string;
}

interface Listed extends Omit<Screen, 'name' | 'title' | 'source'> {
  readonly load: () => Promise<unknown>;
}

// The build makes icons; here the name of each will do.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('icon:')
      ? { url: `data:text/javascript,export default '${specifier}'`, shortCircuit: true }
      : next(specifier, context),
});

const { SCREENS } = (await import(`${WEB}screens.ts`)) as { SCREENS: Record<string, Listed> };
const said = JSON.parse(readFileSync(join(WEB, 'shell/messages/en.json'), 'utf8')) as Record<string, string>;

export const screens: readonly Screen[] = Object.entries(SCREENS).map(([name, { load, ...screen }]) => ({
  ...screen,
  name,
  title: said[`screen.${name}`],
  source: join('src', /import\(['"](.*?)['"]\)/.exec(String(load))![1]),
}));

/**
 * What stands for a parameter that is not called like the resource whose id it is. By its name, or by the whole path if
 * screens mean different things by one name.
 */
const PARAMETERS: Readonly<Record<string, (world: World) => Promise<string | number>>> = {};

/** An address at which there is something to see. */
export async function addressOf(world: World, { path }: Screen): Promise<string> {
  const seeds = await allSeeds();
  const parts = path.split('/').map(async (part) => {
    if (!part.startsWith('$')) return part;
    const name = part.slice(1);
    const own = PARAMETERS[path] ?? PARAMETERS[name];
    if (own) return own(world);
    if (!seeds[name]) throw new Error(`add "${name}" of "${path}" to PARAMETERS: no resource is called so`);
    return seeds[name](world, world.harbour);
  });
  return (await Promise.all(parts)).join('/');
}
