/** The page on which somebody books the same class for several weeks. */
import {
  type Business,
  at,
  eventPageOf,
  seriesPageOf,
  memberOf,
  refusal,
  type At,
  type Desk,
  type Member,
  withReturn,
} from '../frame/index.ts';
import { AtSeries } from './at-series.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { NO_ANSWER, seriesPage, type Answered } from './views/series.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { writtenFor } from './messages.ts';
import type { AtEvent } from './at-event.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export function seriesRoute(prefix: string, desk: Desk, event: AtEvent): PageRoute<Business> {
  const series = new AtSeries(desk);
  const show = async (visit: At, member: Member, who: number | null, answered: Answered = NO_ANSWER) => {
    const id = idIn(visit.params.event_id);
    const view = await series.read(visit, member, id, who);
    // The page of the event says how to become a customer.
    return view === null ? seeOther(eventPageOf(visit.site, id)) : seriesPage(visit, writtenFor(visit), view, answered);
  };
  const book = async (visit: At, member: Member): Promise<PageAnswer> => {
    const { site, sent } = visit;
    const id = idIn(visit.params.event_id);
    const customer = idIn(sent.get('customer'));
    const chosen = [...new Set(sent.getAll('event'))].map(idIn);
    if (!(await series.lists(visit, member, id, customer, chosen))) throw notFound();
    if (chosen.length === 0)
      return show(visit, member, customer, {
        ...NO_ANSWER,
        problems: [{ event: null, text: writtenFor(visit).say('series.choose') }],
      });
    const wanted = chosen.map((one) => ({ event: one, customer }));
    const { booked, toPay, refused } = await event.bookAll(visit, member, wanted);
    const answer = (problems: Answered['problems']) =>
      show(visit, member, customer, { problems, booked: booked.length });
    if (refused.length > 0)
      return answer(refused.map((one) => ({ event: one.event, text: refusal(desk, visit, one.error) })));
    if (toPay.length === 0) return seeOther(`${seriesPageOf(site, id)}?who=${customer}&booked=${booked.length}`);
    try {
      return seeOther(await event.payForAll(visit, member, toPay));
    } catch (error) {
      return answer([{ event: null, text: refusal(desk, visit, error) }]);
    }
  };
  const forMembers =
    (act: (visit: At, member: Member) => Promise<PageAnswer>) =>
    async (visit: At): Promise<PageAnswer> => {
      const member = await memberOf(desk, visit);
      writtenFor(visit);
      const page = seriesPageOf(visit.site, idIn(visit.params.event_id));
      return member ? act(visit, member) : seeOther(withReturn(at(visit.site, 'log-in'), page));
    };
  return {
    path: `${prefix}/events/{event_id}/series`,
    charged: 'page',
    get: forMembers((visit, member) => {
      const who = visit.query.get('who');
      return show(visit, member, who === null ? null : idIn(who), {
        ...NO_ANSWER,
        booked: Math.min(Number.parseInt(visit.query.get('booked') ?? '0', 10) || 0, 99),
      });
    }),
    post: forMembers(book),
  };
}
