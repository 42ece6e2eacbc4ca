/** Putting a membership on hold and ending a hold, each with an exact preview of the effects. */
import {
  askAs,
  forMembers,
  received,
  nowAt,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  eyesOf,
  holdFields,
  withDone,
  writtenFor,
  effectsOf,
  numberIn,
  textIn,
  type Ask,
  type Effect,
  type Entry,
} from '../frame/index.ts';
import { createHash } from 'node:crypto';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { holdPage, proposalPage, type Follows, type HeldView, type Hold, type Proposal } from './views/holds.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
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

const OF_EVENT = 'name,starts_at,timezone';

type Act<T> = (ask: Ask, held: HeldView) => Promise<T>;

/**
 * Calls `act` with the membership in the address.
 * @throws Problem 404 unless it belongs to the person or to somebody whom they act for
 */
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

const holdOf = ({ id }: HeldView, { start, end }: Extract<Proposal, { act: 'hold' }>) => ({
  customer_membership: id,
  start_date: start,
  end_date: end,
});

/** Returns the effects of the proposal, from a dry run of the same call. */
async function previewEffects(ask: Ask, held: HeldView, proposal: Proposal): Promise<readonly Effect[]> {
  const query = { dry_run: true } as const;
  const { effects } =
    proposal.act === 'hold'
      ? await ask('POST /customer_membership_holds', { query, body: holdOf(held, proposal) })
      : await ask('POST /customer_membership_holds/{id}/end', { params: { id: proposal.hold }, query, body: {} });
  return effects;
}

async function perform(ask: Ask, held: HeldView, proposal: Proposal): Promise<void> {
  if (proposal.act === 'hold') await ask('POST /customer_membership_holds', { body: holdOf(held, proposal) });
  else await ask('POST /customer_membership_holds/{id}/end', { params: { id: proposal.hold }, body: {} });
}

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
      follows: await followsOf(ask, await previewEffects(ask, view, proposal)),
    }));
    const version = versionOf(follows);
    // People agree only to the effects that they saw: if these have changed, the page shows the new ones first.
    if (visit.sent.get('seen') !== version) return proposalPage(visit, held, proposal, { follows, version });
    await acting(desk, visit, member, (ask, view) => perform(ask, view, proposal));
    return seeOther(withDone(holdPath(visit.site, held.id), ending ? 'hold-ended' : 'on-hold'));
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 404) throw error;
    return refused(visit, await read(desk, visit, member), reading.draft, received(desk, visit, error));
  }
}

const refused = (visit: At, held: HeldView, draft: Draft, { message, status }: Problem): PageAnswer =>
  holdPage(visit, held, withError(draft, '', message, status));

const versionOf = (follows: readonly Follows[]): string =>
  createHash('sha256').update(JSON.stringify(follows)).digest('base64url');

/**
 * Returns the effects for this person, in reading order. Promotions from a waitlist are left out, because they affect
 * other people.
 */
async function followsOf(ask: Ask, effects: readonly Effect[]): Promise<Follows[]> {
  const booked = effectsOf(effects, 'booking_cancelled', 'booking_kept');
  const events = new Map<number, Entry<'GET /events/{id}', typeof OF_EVENT>>();
  for (const id of new Set(booked.map(({ detail }) => numberIn(detail, 'event'))))
    events.set(id, await ask('GET /events/{id}', { params: { id }, query: { fields: OF_EVENT } }));
  return [
    ...effectsOf(effects, 'expiration_moved').map(({ detail }): Follows => ({
      what: 'moved',
      from: textIn(detail, 'from'),
      to: textIn(detail, 'to'),
    })),
    ...effectsOf(effects, 'credit', 'charge', 'credit_voided', 'charge_voided').map(({ effect, detail }): Follows => ({
      what: effect,
      amount: numberIn(detail, 'amount_minor'),
      dueOn: detail.due_date === undefined || detail.due_date === null ? null : textIn(detail, 'due_date'),
    })),
    ...booked.map(({ effect, detail }): Follows => {
      const { name, starts_at: startsAt, timezone: zone } = events.get(numberIn(detail, 'event'))!;
      return { what: effect, name, startsAt: Date.parse(startsAt), zone };
    }),
  ];
}
