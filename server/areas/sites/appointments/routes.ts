/** Booking or moving an appointment: choose what, then with whom and when, then who comes and who pays. */
import { AtSlots, LateMove } from './at-slots.ts';
import { bookPage, noTimesPage, slotPage, timesPage } from './views/slots.ts';
import {
  hasSite,
  writtenWith,
  memberOf,
  refusal,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  bookPath,
  timePath,
  timesPath,
  takeFields,
  withReturn,
} from '../frame/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { parseDate } from '../../../kernel/base/values/date.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { idOf, isId } from '../../../kernel/pages/path-id.ts';
import { TIMES, type TimesWritten } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const moveOf = ({ query }: At): number | null => idOf(query.get('move'));

const dayAsked = ({ query }: At): string | null => {
  const day = query.get('day');
  return day === null ? null : parseDate(day);
};

const SLOT = /^[\w-]{1,200}$/;

/** @throws Problem 404 if the value can't be a slot id */
function slotIn({ params: { slot_id: slot = '' } }: At): string {
  if (!SLOT.test(slot)) throw notFound();
  return slot;
}

/** Returns the pages below the booking site of a business: `/{slug}/book`. */
export const bookRoutes = (desk: Desk): PageRoute<Business>[] => timesRoutes(desk, '/{slug}/book', (page) => page);

/**
 * Returns the same pages below the account pages. They redirect to the booking site; only a business without one shows
 * its free times here.
 */
export function slotRoutes(desk: Desk): PageRoute<Business>[] {
  return timesRoutes(desk, '/{provider_id}/slots', unlessOnSite);
}

type Page = Pick<PageRoute<Business>, 'get' | 'post'>;

const unlessOnSite = (page: Page): Page => ({
  ...page,
  get: async (visit) => (hasSite(visit.site) ? seeOther(newAddress(visit)) : page.get!(visit)),
});

const written = (visit: At): TimesWritten => writtenWith(visit, TIMES);

/** Returns the current address of what was requested. */
function newAddress({ site, params, query }: At): string {
  const move = idOf(query.get('move'));
  const { slot_id: slot, offering_type: named } = params;
  if (slot !== undefined) return timePath(site, slot, move);
  const offering = idOf(named ?? query.get('offering_type'));
  if (offering !== null)
    return timesPath(site, { offering, day: query.get('day'), teacher: idOf(query.get('with')), move });
  return named !== undefined && SLOT.test(named) ? timePath(site, named, move) : bookPath(site);
}

function timesRoutes(desk: Desk, prefix: string, own: (page: Page) => Page): PageRoute<Business>[] {
  const slots = new AtSlots(desk);

  const showTimes = async (visit: At, offering: number | null): Promise<PageAnswer> => {
    const member = await memberOf(desk, visit);
    if (offering === null) return noTimesPage(visit, written(visit), { personal: member !== null });
    const teacher = idOf(visit.query.get('with'));
    const view = await slots.readTimes(visit, member, { offering, day: dayAsked(visit), teacher }).catch(unlessMissing);
    return view === null
      ? noTimesPage(visit, written(visit), { personal: member !== null })
      : timesPage(visit, written(visit), view, { move: moveOf(visit) });
  };

  const showList = async (visit: At): Promise<PageAnswer> =>
    idOf(visit.query.get('offering_type')) === null
      ? bookPage(visit, written(visit), await slots.readList(visit, await memberOf(desk, visit)))
      : seeOther(newAddress(visit));

  const showSlot = async (
    visit: At,
    member: Member | null,
    problem: { text: string; status: number } | null = null,
  ): Promise<PageAnswer> => {
    const move = moveOf(visit);
    const view = await slots.readSlot(visit, member, slotIn(visit), move).catch(unlessMissing);
    return view === null
      ? noTimesPage(visit, written(visit), { personal: member !== null })
      : slotPage(visit, written(visit), view, { move, problem });
  };

  const form = (
    name: string,
    act: (visit: At, member: Member, values: { customer: string; late: string }) => Promise<string>,
  ): PageRoute<Business> => ({
    path: `${prefix}/time/{slot_id}/${name}`,
    charged: 'page',
    get: async (visit) => seeOther(timePath(visit.site, slotIn(visit), moveOf(visit))),
    post: async (visit) => {
      const member = await memberOf(desk, visit);
      if (!member)
        return seeOther(withReturn(at(visit.site, 'log-in'), timePath(visit.site, slotIn(visit), moveOf(visit))));
      const { values } = readForm(takeFields, visit.sent);
      if (!values) throw notFound();
      try {
        return seeOther(await act(visit, member, values));
      } catch (error) {
        if (error instanceof LateMove)
          return showSlot(visit, member, { text: written(visit).say('late_by_now'), status: 422 });
        return showSlot(visit, member, { text: refusal(desk, visit, error), status: 422 });
      }
    },
  });

  const route = (path: string, page: Page): PageRoute<Business> => ({
    path: `${prefix}${path}`,
    charged: 'page',
    ...own(page),
  });

  return [
    route('', { get: showList }),
    route('/{offering_type}', {
      get: async (visit) => {
        const named = visit.params.offering_type;
        // Old addresses have a slot id here, from before each offering had an address.
        return isId(named) || !SLOT.test(named) ? showTimes(visit, idOf(named)) : seeOther(newAddress(visit));
      },
    }),
    route('/time/{slot_id}', { get: async (visit) => showSlot(visit, await memberOf(desk, visit)) }),
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

/** Returns null for a missing or expired slot, which show the same page. */
function unlessMissing(error: unknown): null {
  if (error instanceof Problem && (error.status === 404 || error.code === 'slot_expired')) return null;
  throw error;
}
