/** Putting a membership on hold and ending a hold, each with exactly what would follow said before. */
import { askAs, forMembers, heard, nowAt, type At, type Desk, type Member } from './desk.ts';
import type { Business } from './business.ts';
import { at } from './entrance.ts';
import { createHash } from 'node:crypto';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { eyesOf } from './eyes.ts';
import { holdFields } from './views/fields.ts';
import { holdPage, proposalPage, type Follows, type HeldView, type Hold, type Proposal } from './views/holds.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/api/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { wallAt } from '../../../kernel/values/zone.ts';
import { withDone } from './views/parts.ts';
import { writtenFor } from './catalog.ts';
import type { Ask } from './ask.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const holdPath = (site: Business, customerMembership: number): string =>
  at(site, `profile/holds/${customerMembership}`);

export function holdRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: '/{provider_id}/profile/holds/{customermembership_id}',
      charged: 'page',
      get: forMembers(desk, async (visit, member) => holdPage(visit, await read(desk, visit, member), EMPTY)),
      post: forMembers(desk, (visit, member) => sent(desk, visit, member)),
    },
  ];
}

type Act<T> = (ask: Ask, held: HeldView) => Promise<T>;

/** With the membership of the address, if it belongs to the person or to somebody whom they act for. @throws Problem 404 */
function acting<T>(desk: Desk, visit: At, member: Member, act: Act<T>): Promise<T> {
  const id = idIn(visit.params.customermembership_id);
  return desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    const ask = askAs(desk, visit, viewer, tx);
    const { results } = await ask('GET /customer_memberships', {
      query: { ids: id, fields: 'id,name,customer,expiration_date,customers_can_hold' },
    });
    const [one] = results;
    const owner = people?.find((person) => person.id === one?.customer);
    if (!owner) throw notFound();
    const { results: holds } = await ask('GET /customer_membership_holds', {
      query: {
        customer_membership: id,
        status: 'upcoming,active',
        fields: 'id,start_date,end_date,made_by,active',
        sort: 'start_date',
      },
    });
    return act(ask, {
      id,
      name: one.name,
      forWhom: owner.name,
      today: wallAt(nowAt(visit), visit.site.tenant.zone).date,
      canHold: one.customers_can_hold,
      holds: holds.map((hold): Hold => ({
        id: hold.id,
        start: hold.start_date,
        end: hold.end_date,
        active: hold.active,
        own: hold.made_by === 'customer',
      })),
    });
  });
}

const read = (desk: Desk, visit: At, member: Member): Promise<HeldView> =>
  acting(desk, visit, member, async (_ask, held) => held);

/** Tells what would follow, or does it: the same call, tried or made. */
const propose = (ask: Ask, { id }: HeldView, proposal: Proposal, tried: boolean): Promise<any> =>
  proposal.act === 'hold'
    ? ask('POST /customer_membership_holds', {
        query: { dry_run: tried },
        body: { customer_membership: id, start_date: proposal.start, end_date: proposal.end },
      })
    : ask('POST /customer_membership_holds/{id}/end', {
        params: { id: proposal.hold },
        query: { dry_run: tried },
        body: {},
      });

async function sent(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const ending = visit.sent.get('act') === 'end';
  const reading = readForm(holdFields(say), visit.sent, say);
  if (!ending && !reading.values) return holdPage(visit, await read(desk, visit, member), reading.draft);
  const proposal: Proposal = ending
    ? { act: 'end', hold: idIn(visit.sent.get('hold')) }
    : { act: 'hold', start: reading.values!.start, end: reading.values!.end };
  try {
    const { held, follows } = await acting(desk, visit, member, async (ask, view) => ({
      held: view,
      follows: await followsOf(ask, (await propose(ask, view, proposal, true)).effects),
    }));
    const version = versionOf(follows);
    // What somebody agrees to is what they saw: anything else is shown first.
    if (visit.sent.get('seen') !== version) return proposalPage(visit, held, proposal, { follows, version });
    await acting(desk, visit, member, (ask, view) => propose(ask, view, proposal, false));
    return seeOther(withDone(holdPath(visit.site, held.id), ending ? 'hold-ended' : 'on-hold'));
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 404) throw error;
    return refused(visit, await read(desk, visit, member), reading.draft, heard(desk, visit, error));
  }
}

const refused = (visit: At, held: HeldView, draft: Draft, { message, status }: Problem): PageAnswer =>
  holdPage(visit, held, withError(draft, '', message, status));

const versionOf = (follows: readonly Follows[]): string =>
  createHash('sha256').update(JSON.stringify(follows)).digest('base64url');

const MONEY = ['credit', 'charge', 'credit_voided', 'charge_voided'] as const;
const BOOKINGS = ['booking_cancelled', 'booking_kept'] as const;

/** What concerns the person, in the order in which it is read. Who moves up from a waitlist is somebody else's affair. */
async function followsOf(ask: Ask, effects: readonly any[]): Promise<Follows[]> {
  const of = (names: readonly string[]) => effects.filter(({ effect }) => names.includes(effect));
  const booked = of(BOOKINGS);
  const events = new Map<number, any>();
  for (const id of new Set<number>(booked.map(({ detail }) => detail.event))) {
    const event = await ask('GET /events/{id}', { params: { id }, query: { fields: 'name,starts_at,timezone' } });
    events.set(id, event);
  }
  return [
    ...of(['expiration_moved']).map(({ detail }): Follows => ({ what: 'moved', from: detail.from, to: detail.to })),
    ...of(MONEY).map(({ effect, detail }): Follows => ({
      what: effect,
      amount: detail.amount_minor,
      dueOn: detail.due_date ?? null,
    })),
    ...booked.map(({ effect, detail }): Follows => {
      const { name, starts_at: startsAt, timezone: zone } = events.get(detail.event);
      return { what: effect, name, startsAt: Date.parse(startsAt), zone };
    }),
  ];
}
