/** The way back to an application that waits for somebody to log in. */
import { goOn, seeOther } from '../../../kernel/pages/visit.ts';
import { memberOf, type Desk, type Business, at, withReturn } from '../frame/index.ts';
import { linkOverPage } from './views/entry.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const continueRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/continue/{request}',
    charged: 'page',
    get: async (visit) => {
      const { request } = visit.params;
      const member = await memberOf(desk, visit);
      const to = member && (await desk.logIns.arrived(request, member));
      if (to) return goOn(to);
      return (await desk.logIns.waiting(request))
        ? seeOther(withReturn(at(visit.site, 'log-in'), visit.path))
        : linkOverPage(visit);
    },
  },
];

/** Returns what the application said about the person whom the log-in page leads back to it. */
export async function waitingFor({ logIns }: Desk, returnTo: string | null): ReturnType<Desk['logIns']['waiting']> {
  const request = /^\/account\/\d{1,15}\/continue\/([\w-]{1,100})$/.exec(returnTo ?? '')?.[1];
  return request === undefined ? null : logIns.waiting(request);
}
