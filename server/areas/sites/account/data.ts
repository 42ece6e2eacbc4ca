/** Download of the data that the business has about the person who reads the page. */
import { type Business, at, loadStaffViewer, forMembers, nowAt, type Desk } from '../frame/index.ts';
import { dataOf } from '../../reporting/portability/index.ts';
import { seeOther, toKeep } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const dataRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/profile/data',
    charged: 'page',
    get: forMembers(desk, async (visit, member) => {
      const { db } = desk.door;
      const { viewer } = await db.looking(visit.site.id, (tx) => loadStaffViewer(tx, visit, member));
      const { customerId } = viewer;
      if (customerId === null) return seeOther(at(visit.site, 'profile'));
      const { currency } = visit.site.tenant;
      const file = await dataOf(
        { db, registry: desk.registry, installation: desk.installation, viewer, currency, now: nowAt(visit) },
        customerId,
      );
      // The data of one person is small enough to hold in memory.
      return toKeep({ ...file, draw: async () => (await Array.fromAsync(file.parts)).join('') });
    }),
  },
];
