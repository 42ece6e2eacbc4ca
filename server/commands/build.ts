import { fileURLToPath } from 'node:url';
import { build as buildDashboard, SHIPPED } from '../areas/sites/dashboard/index.ts';
import { say, type Command } from './command.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

/** Not part of the bundle: the bundled command line also prints the help of this command. */
const BUNDLER = new URL('../bundle.ts', import.meta.url);

export const build: Command = {
  name: 'build',
  summary: 'Build the service and the dashboard ahead of the first start',
  details: [
    'Builds both into the folder "build" of the project, for images whose data folder comes later, and for installations that cannot write',
    'where the project is. Otherwise the first start does it, and so does the first start after every update.',
  ].join('\n'),
  run: async () => {
    const { bundle } = (await import(BUNDLER.href)) as typeof import('../bundle.ts');
    say(`The service is in ${await bundle({ cli: CLI }, `${SHIPPED}/server`)}`);
    say(`The dashboard is in ${await buildDashboard(SHIPPED)}`);
    return 0;
  },
};
