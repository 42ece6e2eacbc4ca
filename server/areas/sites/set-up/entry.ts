/** Log-in at the installation instead of at a business, for staff who continue to the dashboard. */
import { checkMailPage, forgottenRoute, logInRoutesAt } from '../log-in/index.ts';
import type { Desk, Entrance } from '../frame/index.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const entryRoutes = (desk: Desk): PageRoute<Entrance>[] => [
  ...logInRoutesAt<Entrance>(desk, ''),
  forgottenRoute<Entrance>(desk, ''),
  {
    path: '/check-mail',
    charged: 'page',
    get: async (visit) => checkMailPage(visit, safeReturn(visit.query.get('return_to'), '') || null),
  },
];
