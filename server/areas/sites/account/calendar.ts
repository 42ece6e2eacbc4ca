/**
 * The page of a customer's calendar feed: the address to subscribe to, and a new address if others know the old one.
 */
import {
  type Desk,
  type Business,
  at,
  calendarFields,
  withDone,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  writtenFor,
} from '../frame/index.ts';
import { calendarPage, type CalendarView } from './views/calendar.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/calendar';

export const calendarRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here: accountPage(PAGE),
    show: async (turn) => {
      const view = await reading(desk, turn, async ({ ask, people }): Promise<CalendarView | null> => {
        if (!people) return null;
        const id = people[0].id;
        return { own: await linksOf(ask, id, false), family: people.length > 1 ? await linksOf(ask, id, true) : null };
      });
      return view ? calendarPage(turn.visit, view) : seeOther(at(turn.visit.site, 'profile'));
    },
    forms: {
      '': async (turn) => {
        const { values } = readForm(calendarFields, turn.visit.sent);
        await acting(desk, turn, async ({ ask, people }) => {
          if (!people) return;
          await ask('POST /customers/{id}/icalendar_links/reset', {
            params: { id: String(people[0].id) },
            body: { family: values?.family === 'yes' },
          });
        });
        return withDone(at(turn.visit.site, PAGE), 'calendar-reset');
      },
    },
  });

const linksOf = (ask: Ask, customer: number, family: boolean) =>
  ask('GET /customers/{id}/icalendar_links', { params: { id: String(customer) }, query: { family } });
