/**
 * An event, and what somebody can do about it, through the declarations of the interface: the same eyes, the same rules
 * and refusals, the same audit and feed as when an application of the person asked.
 */
import { endWork } from '../../../kernel/own-work.ts';
import { grantOf, resolveViewer } from '../../../kernel/access/grant.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { notFound, Problem } from '../../../kernel/api/problem.ts';
import { readBody } from '../../../kernel/api/input.ts';
import {
  eventPath,
  readCustomers,
  event as eventResource,
  SCHEDULE_PROBLEMS,
} from '../../scheduling/schedule/index.ts';
import { Reader, targetStatement } from '../../../kernel/api/reader.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { Work } from '../../../kernel/work.ts';
import { Instead, isAboutTheTime, type Offer, type OtherTime } from './instead.ts';
import { openPurchase } from './purchase/initiate.ts';
import { REFUSALS } from '../../memberships/customer-memberships/index.ts';
import type { Desk, At, Member } from './desk.ts';
import type { Endpoint } from '../../../kernel/api/endpoint.ts';
import type { Input, Viewer } from '../../../kernel/access/viewer.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

/** Somebody whom the person before the page acts for. */
export interface Participant {
  readonly id: number;
  /** null: the person before the page */
  readonly name: string | null;
  readonly status:
    | 'not_registered'
    | 'registered'
    | 'attended'
    | 'no_show'
    | 'late_cancelled'
    | 'on_waitlist'
    | 'spot_reserved';
  /** what fits now; null: nothing */
  readonly suggestion: 'register' | 'join_waitlist' | 'unregister' | 'leave_waitlist' | 'claim_spot' | null;
  /** the sentence of the first rule of booking that refuses; null: none does */
  readonly why: string | null;
  /** the code of that rule */
  readonly refusedBy: string | null;
  /** on the waitlist, from 1 */
  readonly position: number | null;
  /** epoch ms, of a place that is kept */
  readonly keptUntil: number | null;
  /** from when on a cancellation counts as late, epoch ms */
  readonly lateFrom: number;
  /** what follows from cancelling now, when it is late; null: nothing more */
  readonly follows: LateCancellation | null;
}

/** As the dry run of the cancellation tells it. */
export interface LateCancellation {
  /** how many there are by then, of so many that are free, within so many days */
  readonly infractions: number;
  readonly free: number;
  readonly days: number;
  /** minor units, and the day on which it is owed; null: it is free */
  readonly penalty: { readonly amount: number; readonly dueOn: string } | null;
}

/** Another membership would help. */
export const lacksMembership = ({ refusedBy }: Participant): boolean =>
  (REFUSALS as readonly (string | null)[]).includes(refusedBy);

/** Ends a transaction whose effects were all that was wanted. */
class Undone extends Error {}

export interface EventView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cancelled: boolean;
  /** epoch ms */
  readonly startsAt: number;
  readonly endsAt: number;
  /** of the venue */
  readonly zone: string;
  readonly venue: { readonly name: string; readonly address: string } | null;
  readonly instructors: readonly string[];
  /** free places; null: without limit */
  readonly left: number | null;
  /** null: whoever looks is no customer here */
  readonly participants: readonly Participant[] | null;
  /** where somebody cannot book this one */
  readonly otherTimes: readonly OtherTime[];
  /** where somebody lacks a membership that pays for it */
  readonly offers: readonly Offer[];
}

type Runs = Extract<Endpoint, { acts: 'read' | 'write' }>;

type Act = 'register' | 'join_waitlist' | 'leave_waitlist' | 'unregister';
const ACTS: readonly Act[] = ['register', 'join_waitlist', 'leave_waitlist', 'unregister'];

const SHOWN = 'description,late_cancel_deadline,venue.name,venue.address,instructors.name';
const STATUS = 'active_registration_status,late_cancel_deadline';

/** To cancel would count as late by now, though the person was told otherwise. */
export class LateByNow extends Error {}

export class AtEvent {
  readonly #desk: Desk;
  readonly #reader: Reader;
  readonly #acts: ReadonlyMap<Act, Runs>;
  readonly #explain: Runs;
  readonly #instead: Instead;

  /** @throws Error where the interface lacks what the page is made of, or keeps it from customers */
  constructor(desk: Desk) {
    this.#desk = desk;
    this.#reader = new Reader(desk.registry);
    this.#acts = new Map(ACTS.map((act) => [act, forCustomers(desk.registry, `POST /events/{id}/${act}`)]));
    this.#explain = forCustomers(desk.registry, 'GET /events/{id}/explain');
    this.#instead = new Instead(desk.registry, this.#reader);
  }

  /** Null: there is no such event for this person. */
  async read(visit: At, member: Member | null, id: number): Promise<EventView | null> {
    const view = await this.#look(visit, member, id);
    if (!view?.participants || visit.now >= view.startsAt) return view;
    const late = (one: Participant) =>
      one.status === 'registered' && one.suggestion === 'unregister' && visit.now >= one.lateFrom;
    const participants: Participant[] = [];
    for (const one of view.participants)
      participants.push(late(one) ? { ...one, follows: await this.#foretell(visit, member!, id, one.id) } : one);
    return { ...view, participants };
  }

  /** Cancels, reads what would follow, and undoes it. */
  async #foretell(visit: At, member: Member, id: number, customer: number): Promise<LateCancellation | null> {
    let effects: Work['effects'] = [];
    const cancelling = this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const work = this.#work(visit, tx, await eyesOf(tx, visit, member));
      const row = await target(work, id, true);
      if (!row) throw new Undone();
      await this.#run(this.#acts.get('unregister')!, { visit, work, row, body: { customer }, dryRun: true });
      effects = work.effects;
      throw new Undone();
    });
    await cancelling.catch((error: unknown) => {
      // Who can no longer cancel is told so by the page.
      if (!(error instanceof Undone || error instanceof Problem)) throw error;
    });
    const [penalty] = effects
      .filter((e) => e.effect === 'penalty')
      .map(({ detail }) => ({ amount: detail.amount_minor as number, dueOn: detail.due_date as string }));
    const [strike] = effects
      .filter((e) => e.effect === 'strike')
      .map(({ detail }) => detail as { infractions: number; max_infractions: number; days: number });
    return strike === undefined
      ? null
      : { infractions: strike.infractions, free: strike.max_infractions, days: strike.days, penalty: penalty ?? null };
  }

  #look(visit: At, member: Member | null, id: number): Promise<EventView | null> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const work = this.#work(visit, tx, await eyesOf(tx, visit, member));
      const row = await target(work, id, false);
      if (!row) return null;
      const shown = await this.#print(work, id, SHOWN, 'venue,instructors');
      const participants = work.viewer.customerId === null ? null : await this.#participants(work, row);
      const left =
        row.max_occupancy === null ? null : Math.max(0, row.max_occupancy - row.attending_count - row.held_count);
      const over = row.status === 'cancelled' || visit.now >= row.starts_at;
      const stuck =
        participants?.some(
          ({ status, refusedBy }) => ['not_registered', 'late_cancelled'].includes(status) && isAboutTheTime(refusedBy),
        ) ?? left === 0;
      return {
        id,
        name: row.name,
        description: shown.description,
        cancelled: row.status === 'cancelled',
        startsAt: row.starts_at,
        endsAt: row.ends_at,
        zone: row.timezone,
        venue: shown.venue,
        instructors: shown.instructors.map((i: { name: string }) => i.name),
        left,
        participants,
        otherTimes: over || stuck ? await this.#instead.otherTimes(work, row) : [],
        offers: !over && participants?.some(lacksMembership) ? await this.#instead.offers(work, id) : [],
      };
    });
  }

  /**
   * Acts for one of the people whom the member acts for. `saidInTime`: the page said that cancelling is in time.
   * @throws Problem the refusal of the interface; 404 for anybody else's record
   * @throws LateByNow instead of cancelling late what was said to be in time
   */
  act(
    visit: At,
    member: Member,
    id: number,
    of: { act: Act; customer: number; body?: Record<string, unknown>; saidInTime?: boolean },
  ): Promise<Record<string, unknown>> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const work = this.#work(visit, tx, await eyesOf(tx, visit, member));
      if (work.viewer.customerId === null) throw notFound();
      const row = await target(work, id, true);
      if (!row || !(await peopleOf(work)).some((p) => p.id === of.customer)) throw notFound();
      if (of.saidInTime && visit.now >= (await this.#status(work, row, of.customer)).lateFrom) throw new LateByNow();
      work.touch(eventResource.table, id, row);
      const endpoint = this.#acts.get(of.act)!;
      const result = await this.#run(endpoint, { visit, work, row, body: { customer: of.customer, ...of.body } });
      await endWork(work, this.#desk.registry, `${endpoint.method} ${endpoint.path}`);
      return result;
    });
  }

  /**
   * Begins to buy a membership for one of them, with which the event is booked where it has a place. Returns the secret
   * of the page that goes on.
   * @throws Problem what is against it; 404 for what is not offered here
   */
  buy(
    visit: At,
    member: Member,
    id: number,
    { customer, membership, plan }: { customer: number; membership: number; plan: number | null },
  ): Promise<string> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const work = this.#work(visit, tx, await eyesOf(tx, visit, member));
      const row = work.viewer.customerId === null ? undefined : await target(work, id, false);
      if (!row || !(await peopleOf(work)).some((p) => p.id === customer)) throw notFound();
      if (
        !(await this.#instead.offers(work, id)).some((offer) => offer.membership === membership && offer.plan === plan)
      )
        throw notFound();
      const open = (event: number | null) =>
        openPurchase(work, { membership, plan, customer, event }, eventPath(visit.site.id, id));
      // A full event still has a waitlist, which takes the membership too.
      const { secret } = await open(id).catch((error: unknown) =>
        error instanceof Problem && error.kind === SCHEDULE_PROBLEMS.event_full ? open(null) : Promise.reject(error),
      );
      return secret;
    });
  }

  #work({ site, now, requestId }: At, tx: Transaction, viewer: Viewer): Work {
    return new Work({ tx, registry: this.#desk.registry, tenant: site.tenant, viewer, now, requestId });
  }

  async #run(
    endpoint: Runs,
    {
      visit,
      work,
      row,
      body = {},
      query = {},
      dryRun = false,
    }: {
      visit?: At;
      work: Work;
      row: Record<string, any>;
      body?: Record<string, unknown>;
      query?: Record<string, unknown>;
      dryRun?: boolean;
    },
  ): Promise<any> {
    return endpoint.run({
      work,
      query,
      dryRun,
      target: row,
      body: readBody(endpoint.body ?? {}, { value: body, text: false }, work.tenant.zone),
      params: { id: String(row.id) },
      baseUrl: visit?.baseUrl ?? '',
      pagesUrl: visit?.baseUrl ?? '',
      grant: null,
      ip: visit?.ip ?? '',
      header: () => undefined,
    });
  }

  async #print(
    work: Work,
    id: number,
    fields: string,
    expand: string | undefined,
    query: Record<string, unknown> = {},
  ): Promise<any> {
    const {
      tenant: { zone, currency },
      now,
    } = work;
    const wire = { zone, currency, now, baseUrl: '', pagesUrl: '' };
    return (await this.#reader.one(
      eventResource,
      this.#reader.choose(eventResource, fields, expand),
      { ...input(work, id), query },
      wire,
      (commands) => work.tx.send(commands),
    ))!;
  }

  async #status(
    work: Work,
    row: Record<string, any>,
    customer: number,
  ): Promise<Pick<Participant, 'status' | 'suggestion' | 'lateFrom'>> {
    const { active_registration_status: now, late_cancel_deadline: usual } = await this.#print(
      work,
      row.id,
      STATUS,
      undefined,
      { active_customer: customer },
    );
    return {
      status: now.current_status,
      suggestion: now.suggested_action,
      lateFrom: Date.parse(now.late_cancels_after ?? usual),
    };
  }

  async #participants(work: Work, row: Record<string, any>): Promise<Participant[]> {
    const people = await peopleOf(work);
    const around = await readCustomers(
      work,
      row.id,
      people.map((p) => p.id),
    );
    const shown: Participant[] = [];
    for (const { id, name } of people) {
      const about = around.get(id)!;
      const status = await this.#status(work, row, id);
      // Who only manages a family is asked nothing.
      if (!about.customer.participating && status.status === 'not_registered' && people.length > 1) continue;
      const { rules } = await this.#run(this.#explain, { work, row, query: { customer: id } });
      const refused: { code: string; message: string } | undefined = rules.find(
        (rule: { passed: boolean }) => !rule.passed,
      );
      shown.push({
        id,
        name,
        ...status,
        why: refused?.message ?? null,
        refusedBy: refused?.code ?? null,
        position: about.spot?.status === 'on_waitlist' ? about.spot.ahead + 1 : null,
        keptUntil: about.customer.reservedUntil,
        follows: null,
      });
    }
    return shown;
  }
}

function forCustomers(registry: Registry, name: string): Runs {
  const endpoint = registry.endpoints.find((e) => `${e.method} ${e.path}` === name);
  if (!(endpoint?.acts === 'read' || endpoint?.acts === 'write') || !endpoint.who.customer)
    throw new Error(`the page of an event needs ${name} for customers`);
  return endpoint;
}

const input = ({ viewer, now }: Work, id: number): Input => ({ viewer, now, query: {}, id });

const target = (work: Work, id: number, lock: boolean): Promise<Record<string, any> | undefined> =>
  work.tx.one(targetStatement(eventResource, work.viewer, lock), input(work, id));

/** The business of a page is there. */
const isThere = async () => true;

/**
 * As the interface sees whoever comes with an application, as a customer; a stranger without a customer's record here.
 */
export async function eyesOf(tx: Transaction, { site }: At, member: Member | null): Promise<Viewer> {
  if (!member) return resolveViewer(null, site.id, null, isThere);
  const { id: userId } = member.account;
  const me = await tx.one<{ id: number }>(
    sql`SELECT id FROM customer WHERE provider_id = ${site.id} AND user_id = ${userId} AND deleted_at IS NULL`,
  );
  const profiles = me ? [{ mode: 'customer', providerId: site.id, customerId: me.id } as const] : [];
  return resolveViewer(
    grantOf({ credential: `user:${userId}`, kind: 'person', profiles, userId }),
    site.id,
    null,
    isThere,
  );
}

/** The customer who looks, and whom it acts for. */
export async function peopleOf({
  tx,
  providerId,
  viewer: { customerId },
}: Work): Promise<{ id: number; name: string | null }[]> {
  const rows = await tx.rows<{
    id: number;
    first_name: string | null;
    familyId: number | null;
    familyRole: 'manager' | 'child' | null;
  }>(sql`
    SELECT c.id, c.first_name, c.family_id AS "familyId", c.family_role AS "familyRole" FROM customer c
    JOIN customer me ON me.provider_id = c.provider_id AND me.id = ${customerId}
    WHERE c.provider_id = ${providerId} AND c.deleted_at IS NULL AND (c.id = me.id OR c.family_id = me.family_id) ORDER BY c.id <> me.id, c.id`);
  const [me, ...family] = rows;
  if (!me) throw notFound();
  return [
    { id: me.id, name: null },
    ...family
      .filter((p) => mayActForFamily(me, p) === null)
      .map((p) => ({ id: p.id, name: p.first_name || 'Your child' })),
  ];
}
