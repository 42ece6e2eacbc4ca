import type { Area } from '../../../kernel/api/area.ts';

import { sweepProposals } from './proposals.ts';
import { TABLES } from './tables.ts';

export { assistantDoors } from './routes.ts';
export { proposalRoutes } from './pages.ts';

/** The endpoint for assistants (Model Context Protocol): tools over the interface, for the person who logs in there. */
export const assistants: Area = {
  name: 'assistants',
  description: 'The endpoint for assistants: tools for the jobs of staff and customers.',
  tables: TABLES,
  sweepTimes: [],
  sweep: sweepProposals,
};
