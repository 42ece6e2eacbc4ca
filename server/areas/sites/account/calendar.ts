/**
 * The page of a customer's calendar feed: the address to subscribe to, and a new address if others know the old one.
 */
import {
  askAs,
  forMembers,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  calendarFields,
  eyesOf,
  withDone,
  type Ask,
} from '../frame/index.ts';
import { calendarPage, type CalendarView } from './views/calendar.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/calendar';

export function calendarRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
      post: forMembers(desk, (visit, member) => reset(desk, visit, member), PAGE),
    },
  ];
}

async function show(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const view = await desk.door.db.looking(visit.site.id, async (tx): Promise<CalendarView | null> => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return null;
    const ask = askAs(desk, visit, viewer, tx);
    const id = people[0].id;
    return { own: await linksOf(ask, id, false), family: people.length > 1 ? await linksOf(ask, id, true) : null };
  });
  return view ? calendarPage(visit, view) : seeOther(at(visit.site, 'profile'));
}

const linksOf = (ask: Ask, customer: number, family: boolean) =>
  ask('GET /customers/{id}/icalendar_links', { params: { id: String(customer) }, query: { family } });

async function reset(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { values } = readForm(calendarFields, visit.sent);
  await desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return;
    await askAs(
      desk,
      visit,
      viewer,
      tx,
    )('POST /customers/{id}/icalendar_links/reset', {
      params: { id: String(people[0].id) },
      body: { family: values?.family === 'yes' },
    });
  });
  return seeOther(withDone(at(visit.site, PAGE), 'calendar-reset'));
}
