/** Type-level tests of calls. Nothing here runs: `npm run check:types` checks it. */
import { Rollcall, type AnswerOf, type FeedItem, type RefusalOf } from '../src/index.ts';

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const holds = <T extends true>(): void => void (null as T | null);

export async function calls(rollcall: Rollcall): Promise<void> {
  const params = { id: 1 };

  const chosen = await rollcall.call('GET /events/{id}', { params, fields: ['id', 'name', 'venue.name'] });
  holds<Equal<typeof chosen, { id: number; name: string; venue: { name: string } | null }>>();
  // @ts-expect-error it was not chosen
  void chosen.starts_at;

  const plain = await rollcall.call('GET /events/{id}', { params });
  holds<Equal<typeof plain.venue, number>>();
  const expanded = await rollcall.call('GET /events/{id}', { params, expand: ['venue'] });
  holds<Equal<typeof expanded.starts_at, string>>();
  void expanded.venue?.name;

  for await (const customer of rollcall.call('GET /customers', { fields: ['id'], query: { page_size: 50 } }))
    holds<Equal<typeof customer, { id: number }>>();

  // @ts-expect-error there is no such property
  void rollcall.call('GET /customers', { fields: ['idd'] });
  // @ts-expect-error the path has a parameter
  void rollcall.call('GET /events/{id}');
  // @ts-expect-error there is no such operation
  void rollcall.call('GET /event');
  // @ts-expect-error a property that is needed is missing
  void rollcall.call('POST /customers', { body: { first_name: 'Ada' } });
  // @ts-expect-error a read has nothing to try
  void rollcall.call('GET /events').dryRun();

  const result = await rollcall.call('POST /events/{id}/register', { params, body: { customer: 3 } }).result();
  if (!result.ok) {
    holds<Equal<typeof result.problem.code, RefusalOf<'POST /events/{id}/register'>>>();
    // @ts-expect-error it cannot be refused with this
    void (result.problem.code === 'giftcard_spent');
  }
}

export const ofVarieties = (schedule: AnswerOf<'GET /availability_schedules'>['results'][number]): string =>
  schedule.schedule_type;

export const ofFeed = (item: FeedItem): number | null =>
  item.type === 'customer.created' ? item.payload.customer : null;
