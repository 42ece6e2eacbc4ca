/** Pages of courses, and their forms. */
import { readFees } from '../../../pricing/fees/index.ts';
import {
  nowAt,
  type Desk,
  type Business,
  acting,
  openPage,
  refusedAt,
  type Refused,
  type Asker,
  sitePath,
} from '../../frame/index.ts';
import { beginCheckout } from '../../checkout/index.ts';
import { coursePage, coursePath, coursesPage, type Done } from './views.ts';
import { coursesFor, type CoursesWritten } from './messages.ts';
import { enrollUnlessToPay, itemOf } from './enroll.ts';
import { guestRunRoute } from './guest.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { listedCourses, oneCourse } from './read.ts';
import { NO_PAYERS, payersOf } from './payers.ts';
import { looking } from '../look.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

export const courseRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...openPage(desk, {
    path: '/{slug}/courses',
    texts: coursesFor,
    here: ({ site }) => sitePath(site, 'courses'),
    show: async ({ visit, written }) => {
      const view = await looking(desk, visit, async (ask, { personal }) => ({
        courses: await listedCourses(ask, visit.site.tenant.zone),
        personal,
      }));
      return coursesPage(visit, written, { ...view, now: nowAt(visit) });
    },
  }),
  ...openPage<CoursesWritten, Refused | null>(desk, {
    path: '/{slug}/courses/{course_id}',
    texts: coursesFor,
    here,
    show: async ({ visit, written, member }, problem = null) => {
      const id = idIn(visit.params.course_id);
      const view = await looking(desk, visit, async (ask, { personal, people, tx }) => ({
        ...(await oneCourse(ask, { id, zone: visit.site.tenant.zone, people })),
        people: people ?? [],
        addsFees: (await readFees(tx, visit.site.id)).addsTo('course'),
        buyers: personal ? (people ?? []) : null,
      }));
      const payers = member
        ? await payersOf(desk, { visit, member }, { runs: view.runs, people: view.people })
        : NO_PAYERS;
      return coursePage(visit, written, { ...view, payers, now: nowAt(visit), problem });
    },
    forms: { '': (turn) => act(desk, turn, here(turn.visit)) },
    refused: refusedAt(desk),
  }),
  guestRunRoute(desk),
];

const here = ({ site, params }: At): string => coursePath(site, idIn(params.course_id));

const doneAt = (page: string, what: Done): string => `${page}?done=${what}`;

/**
 * Performs the action of a form, and returns the address where the browser continues. @throws Problem the refusal of
 * the interface
 */
async function act(desk: Desk, turn: Asker, page: string): Promise<string> {
  const { sent } = turn.visit;
  const [series, customer, wanted] = [idIn(sent.get('run')), idIn(sent.get('customer')), sent.get('act')];
  return acting(desk, turn, async ({ ask, tx, viewer, people }) => {
    if (!people?.some(({ id }) => id === customer)) throw notFound();
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
