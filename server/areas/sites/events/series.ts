/** The page on which somebody books the same class for several weeks. */
import {
  eventPageOf,
  hasRequirements,
  memberPage,
  refusal,
  seriesPageOf,
  withReturn,
  type Business,
  type Desk,
} from '../frame/index.ts';
import { SINGLE } from './fields.ts';
import { AtSeries, type PaysWith } from './at-series.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { NO_ANSWER, seriesPage, type Answered } from './views/series.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import { writtenFor, type Written } from './messages.ts';
import type { AtEvent } from './at-event.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

/** Returns what pays for all dates, as links and forms send it. */
const paysIn = (sent: string | null): PaysWith =>
  sent === null || sent === '' ? null : sent === SINGLE ? SINGLE : idIn(sent);

const again = (problems: Answered['problems'], booked = 0) => ({ again: { problems, booked } });

export function seriesRoutes(prefix: string, desk: Desk, events: AtEvent): PageRoute<Business>[] {
  const series = new AtSeries(desk);
  return memberPage<Written, Answered>(desk, {
    path: `${prefix}/events/{event_id}/series`,
    texts: writtenFor,
    here: ({ site, params }) => seriesPageOf(site, idIn(params.event_id)),
    before: ({ site, params }, { requirements: [{ path, customer }] }) =>
      withReturn(path, `${seriesPageOf(site, idIn(params.event_id))}?who=${customer}`),
    show: async (turn, said) => {
      const { visit, written } = turn;
      const { site, params, query, sent } = visit;
      const id = idIn(params.event_id);
      const who = sent.get('customer') ?? query.get('who');
      const pays = paysIn(sent.get('pays') ?? query.get('pays'));
      const view = await series.read(turn, id, { who: who === null ? null : idIn(who), pays });
      // The page of the event says how to become a customer.
      if (view === null) return seeOther(eventPageOf(site, id));
      const booked = Math.min(Number.parseInt(query.get('booked') ?? '0', 10) || 0, 99);
      return seriesPage(visit, written, view, said ?? { ...NO_ANSWER, booked });
    },
    forms: {
      '': async (turn) => {
        const { visit, written } = turn;
        const { site, params, sent } = visit;
        const [id, customer] = [idIn(params.event_id), idIn(sent.get('customer'))];
        const chosen = [...new Set(sent.getAll('event'))].map(idIn);
        if (!(await series.lists(turn, id, customer, chosen))) throw notFound();
        if (chosen.length === 0) return again([{ event: null, text: written.say('series.choose') }]);
        const wanted = chosen.map((event) => ({ event, customer }));
        const { booked, toPay, refused } = await events.bookAll(turn, wanted, paysIn(sent.get('pays')));
        // The page of what is required leads back here.
        for (const { error } of refused) if (hasRequirements(error)) throw error;
        const said = (event: number | null, error: unknown) => ({ event, text: refusal(desk, visit, error) });
        if (refused.length > 0)
          return again(
            refused.map(({ event, error }) => said(event, error)),
            booked.length,
          );
        if (toPay.length === 0) return `${seriesPageOf(site, id)}?who=${customer}&booked=${booked.length}`;
        return events.payForAll(turn, toPay).catch((error) => again([said(null, error)], booked.length));
      },
    },
  });
}
