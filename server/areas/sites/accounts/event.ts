/**
 * The page of an event, where mails lead, and what can be done on it: booking, waiting, leaving, for oneself and one's
 * children.
 */
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { notFound, Problem } from '../../../kernel/api/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { AtEvent, LateByNow, TO_PAY } from './at-event.ts';
import { at, type Business } from './business.ts';
import { eventPath } from '../../scheduling/schedule/index.ts';
import { becomeCustomer } from './become-customer.ts';
import { idIn, isId } from '../../../kernel/pages/path-id.ts';
import { memberOf, refusal, type At, type Desk, type Member } from './desk.ts';
import { eventPage, hiddenEventPage } from './views/event.ts';
import { buyFields, eventFields } from './views/fields.ts';
import { withReturn } from './views/parts.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

interface Sent {
  readonly visit: At;
  readonly member: Member;
  readonly event: number;
  readonly customer: number;
  /** the page said that cancelling is in time */
  readonly saidInTime: boolean;
  readonly lateToo: boolean;
}

/** What each form does; returns what `?done=` says of it, or where it goes on. */
const ACTS: Record<string, (at: AtEvent, sent: Sent) => Promise<string | { readonly next: string }>> = {
  async book(at, { visit, member, event, customer }) {
    const booked = await at.act(visit, member, event, { act: 'register', customer }).catch(unless(TO_PAY));
    return booked ? 'booked' : { next: await at.payFor(visit, member, event, customer) };
  },
  async wait(at, { visit, member, event, customer, lateToo }) {
    await at.act(visit, member, event, { act: 'join_waitlist', customer, body: { promote_after_cutoff: lateToo } });
    return 'waiting';
  },
  async leave(at, { visit, member, event, customer }) {
    await at.act(visit, member, event, { act: 'leave_waitlist', customer }).catch(unless('not_on_waitlist'));
    return 'left-waitlist';
  },
  async cancel(at, { visit, member, event, customer, saidInTime }) {
    const done = await at
      .act(visit, member, event, { act: 'unregister', customer, saidInTime })
      .catch(unless('not_registered'));
    return done?.late ? 'cancelled-late' : 'cancelled';
  },
};

/** A form that is sent twice has done what it was to do. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (error instanceof Problem && error.code === code) return null;
    throw error;
  };

const LATE_BY_NOW =
  'The time for free cancellation has passed since you opened this page. Cancelling now counts as late. Cancel again if you still want to.';

export function eventRoutes(desk: Desk): PageRoute<Business>[] {
  const event = new AtEvent(desk);
  const show = async (visit: At, member: Member | null, draft: Draft = EMPTY): Promise<PageAnswer> => {
    const view = await event.read(visit, member, idIn(visit.params.event_id));
    if (view) return eventPage(visit, view, { account: member?.account ?? null, draft });
    if (member) throw notFound();
    return hiddenEventPage(visit, pageOf(visit));
  };
  const form = (name: string, act: (visit: At, member: Member) => Promise<PageAnswer>): PageRoute<Business> => ({
    path: `/{provider_id}/events/{event_id}/${name}`,
    charged: 'page',
    get: async (visit) => seeOther(pageOf(visit)),
    post: async (visit) => {
      const [page, member] = [pageOf(visit), await memberOf(desk, visit)];
      return member ? act(visit, member) : seeOther(withReturn(at(visit.site, 'log-in'), page));
    },
  });
  return [
    {
      path: '/{provider_id}/events/{event_id}',
      charged: 'page',
      get: async (visit) => show(visit, await memberOf(desk, visit)),
    },
    ...Object.entries(ACTS).map(([name, act]) =>
      form(name, async (visit, member) => {
        const { values } = readForm(eventFields(visit.site), visit.sent);
        if (!values || !isId(values.customer)) throw notFound();
        try {
          const done = await act(event, {
            visit,
            member,
            event: idIn(visit.params.event_id),
            customer: Number(values.customer),
            saidInTime: values.in_time === 'yes',
            lateToo: values.late_too,
          });
          return seeOther(typeof done === 'string' ? `${pageOf(visit)}?done=${done}` : done.next);
        } catch (error) {
          return show(
            visit,
            member,
            withError(EMPTY, '', error instanceof LateByNow ? LATE_BY_NOW : refusal(desk, visit, error)),
          );
        }
      }),
    ),
    form('buy', async (visit, member) => {
      const { values } = readForm(buyFields, visit.sent);
      if (!values || ![values.customer, values.membership, values.plan || '1'].every(isId)) throw notFound();
      const wanted = {
        customer: Number(values.customer),
        membership: Number(values.membership),
        plan: values.plan ? Number(values.plan) : null,
      };
      try {
        return seeOther(await event.buy(visit, member, idIn(visit.params.event_id), wanted));
      } catch (error) {
        return show(visit, member, withError(EMPTY, '', refusal(desk, visit, error)));
      }
    }),
    form('join', async (visit, { account }) => {
      if (account.emailConfirmedAt !== null) await becomeCustomer(desk, visit, account, true);
      return seeOther(`${pageOf(visit)}?done=${account.emailConfirmedAt === null ? 'not-possible' : 'joined'}`);
    }),
  ];
}

const pageOf = (visit: At): string => eventPath(visit.site.id, idIn(visit.params.event_id));
