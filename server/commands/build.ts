import { build as buildDashboard, SHIPPED } from '../areas/sites/dashboard/index.ts';
import { say, type Command } from './command.ts';

export const build: Command = {
  name: 'build',
  summary: 'Build the dashboard ahead of the first start',
  details:
    'Builds it into the folder "build" of the project, for images whose data folder comes later. Without it, the service builds the dashboard into its data folder at the first start, and after every update.',
  run: async () => {
    say(`The dashboard is in ${await buildDashboard(SHIPPED)}`);
    return 0;
  },
};
