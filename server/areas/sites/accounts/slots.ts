/** Choosing a day, then a time, then who comes and who pays: for a new appointment, or to move one. */
import { AtSlots, LateMove } from './slots/at-slots.ts';
import { dayPage, noTimesPage, slotPage } from './views/slots.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { memberOf, refusal, type At, type Desk, type Member } from './desk.ts';
import { notFound, Problem } from '../../../kernel/api/problem.ts';
import { parseDate } from '../../../kernel/values/date.ts';
import { at, type Business } from './business.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { slotPath } from './slots/path.ts';
import { idOf, isId } from '../../../kernel/pages/path-id.ts';
import { takeFields } from './views/fields.ts';
import { withReturn } from './views/parts.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const moveOf = ({ query }: At): number | null => idOf(query.get('move'));

/** @throws Problem 404 for what can be no slot */
function slotIn({ params: { slot_id: slot = '' } }: At): string {
  if (!/^[\w-]{1,200}$/.test(slot)) throw notFound();
  return slot;
}

const LATE_BY_NOW =
  'The time for free changes has passed since you opened this page. Moving now counts as a late cancellation. Press the button again if you still want to.';

export function slotRoutes(desk: Desk): PageRoute<Business>[] {
  const slots = new AtSlots(desk);

  const showDay = async (visit: At, offering: number, day: string | null, notice: string | null = null) => {
    const member = await memberOf(desk, visit);
    const view = await slots.readDay(visit, member, offering, day).catch(unlessMissing);
    return view === null
      ? noTimesPage(visit)
      : dayPage(visit, view, { account: member?.account ?? null, move: moveOf(visit), notice });
  };

  const showSlot = async (visit: At, member: Member | null, draft: Draft = EMPTY): Promise<PageAnswer> => {
    const move = moveOf(visit);
    const view = await slots.readSlot(visit, member, slotIn(visit), move).catch(unlessMissing);
    return view === null
      ? noTimesPage(visit)
      : slotPage(visit, view, { account: member?.account ?? null, move, draft });
  };

  const form = (
    name: string,
    act: (visit: At, member: Member, values: { customer: string; late: string }) => Promise<string>,
  ): PageRoute<Business> => ({
    path: `/{provider_id}/slots/{slot_id}/${name}`,
    charged: 'page',
    get: async (visit) => seeOther(slotPath(visit.site.id, slotIn(visit), moveOf(visit))),
    post: async (visit) => {
      const member = await memberOf(desk, visit);
      if (!member)
        return seeOther(withReturn(at(visit.site, 'log-in'), slotPath(visit.site.id, slotIn(visit), moveOf(visit))));
      const { values } = readForm(takeFields, visit.sent);
      if (!values) throw notFound();
      try {
        return seeOther(await act(visit, member, values));
      } catch (error) {
        const said = error instanceof LateMove ? LATE_BY_NOW : refusal(desk, visit, error);
        return showSlot(visit, member, withError(EMPTY, '', said));
      }
    },
  });

  return [
    {
      path: '/{provider_id}/slots',
      charged: 'page',
      get: async (visit) => {
        const offering = idOf(visit.query.get('offering_type'));
        const day = visit.query.get('day');
        return offering === null ? noTimesPage(visit) : showDay(visit, offering, day === null ? null : parseDate(day));
      },
    },
    {
      path: '/{provider_id}/slots/{slot_id}',
      charged: 'page',
      get: async (visit) => showSlot(visit, await memberOf(desk, visit)),
    },
    form('book', async (visit, member, { customer }) => {
      if (!isId(customer)) throw notFound();
      return slots.book(visit, member, slotIn(visit), Number(customer));
    }),
    form('move', async (visit, member, { late }) => {
      const move = moveOf(visit);
      if (move === null) throw notFound();
      return slots.move(visit, member, slotIn(visit), move, late === 'yes');
    }),
  ];
}

/** What is not there, and what was offered too long ago, are one page. */
function unlessMissing(error: unknown): null {
  if (error instanceof Problem && (error.status === 404 || error.code === 'slot_expired')) return null;
  throw error;
}
