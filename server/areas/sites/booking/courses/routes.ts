/** Pages of courses, and their forms. */
import {
  askAs,
  at,
  eyesOf,
  memberOf,
  nowAt,
  refusal,
  withReturn,
  type Desk,
  type Business,
  type Member,
} from '../../frame/index.ts';
import { beginCheckout } from '../../checkout/index.ts';
import { coursePage, coursePath, coursesPage, type Done } from './views.ts';
import { coursesFor } from './messages.ts';
import { enrollUnlessToPay, itemOf } from './enroll.ts';
import { guestRunRoute } from './guest.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { listedCourses, oneCourse } from './read.ts';
import { NO_PAYERS, payersOf } from './payers.ts';
import { looking } from '../look.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

export function courseRoutes(desk: Desk): PageRoute<Business>[] {
  const one = async (visit: At, problem: string | null): Promise<PageAnswer> => {
    const id = idIn(visit.params.course_id);
    const view = await looking(desk, visit, async (ask, { personal, people }) => ({
      ...(await oneCourse(ask, { id, zone: visit.site.tenant.zone, people })),
      people: people ?? [],
      buyers: personal ? (people ?? []) : null,
    }));
    const member = view.buyers && (await memberOf(desk, visit));
    const payers = member ? await payersOf(desk, visit, member, { runs: view.runs, people: view.people }) : NO_PAYERS;
    return coursePage(visit, coursesFor(visit), { ...view, payers, now: nowAt(visit), problem });
  };
  return [
    {
      path: '/{slug}/courses',
      charged: 'page',
      get: async (visit) => {
        const view = await looking(desk, visit, async (ask, { personal }) => ({
          courses: await listedCourses(ask, visit.site.tenant.zone),
          personal,
        }));
        return coursesPage(visit, coursesFor(visit), { ...view, now: nowAt(visit) });
      },
    },
    {
      path: '/{slug}/courses/{course_id}',
      charged: 'page',
      get: (visit) => one(visit, null),
      post: async (visit) => {
        const page = coursePath(visit.site, idIn(visit.params.course_id));
        const member = await memberOf(desk, visit);
        if (!member) return seeOther(withReturn(at(visit.site, 'log-in'), page));
        try {
          return seeOther(await act(desk, visit, member, page));
        } catch (error) {
          return one(visit, refusal(desk, visit, error));
        }
      },
    },
    guestRunRoute(desk),
  ];
}

const doneAt = (page: string, what: Done): string => `${page}?done=${what}`;

/**
 * Performs the action of a form, and returns the address where the browser continues. @throws Problem the refusal of
 * the interface
 */
function act(desk: Desk, visit: At, member: Member, page: string): Promise<string> {
  const { sent, site } = visit;
  const [series, customer, wanted] = [idIn(sent.get('run')), idIn(sent.get('customer')), sent.get('act')];
  return desk.door.db.transaction(site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people?.some(({ id }) => id === customer)) throw notFound();
    const ask = askAs(desk, visit, viewer, tx);
    const of = { params: { id: series }, query: { fields: 'id' }, body: { customer } } as const;
    if (wanted === 'wait')
      return ask('POST /course_date_series/{id}/join_waitlist', of).then(() => doneAt(page, 'waiting'));
    if (wanted === 'leave')
      return ask('POST /course_date_series/{id}/leave_waitlist', of).then(() => doneAt(page, 'left'));
    if (wanted !== 'enroll') throw notFound();
    const membership = sent.get('membership');
    if (membership !== null) {
      const body = { customer, customer_membership: idIn(membership) };
      return ask('POST /course_date_series/{id}/enroll', { ...of, body }).then(() => doneAt(page, 'enrolled'));
    }
    if (await enrollUnlessToPay(tx, ask, series, customer)) return doneAt(page, 'enrolled');
    return beginCheckout(ask, viewer.customerId!, [itemOf(series, customer)]);
  });
}
