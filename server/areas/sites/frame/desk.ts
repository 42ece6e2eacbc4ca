/** Dependencies of the account pages, and the person whom they serve. */
import { Failure, translate } from '../../../kernel/api/requests/refusals.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer, type Visit } from '../../../kernel/pages/visit.ts';
import {
  claimProfiles,
  findDomainSession,
  findSession,
  leaveSession,
  LONGEST,
  readAccount,
  sessionElsewhere,
  SHORTEST,
  startSession,
  type Account,
  type AccountDoor,
  type NotNow,
  type PasswordFault,
  type Session,
  type Whence,
} from '../../people/identity/index.ts';
import { isOfBusiness, type Business } from './business.ts';
import { at, type Entrance } from './entrance.ts';
import { rememberLocale } from '../../people/customers/index.ts';
import { withReturn } from './views/parts.ts';
import { businessTime, type Tenant } from '../../../kernel/work/unit/work.ts';
import { ENGLISH, readerOf, type Reader } from '../../../kernel/base/languages/languages.ts';
import type { AccountSay } from './catalog.ts';
import type { AssistantChoices, Wish } from '../../people/applications/index.ts';
import type { Ask } from './ask.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Pipeline } from '../../../kernel/api/requests/pipeline.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Words } from '../../../kernel/base/values/words.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export type At = Visit<Business>;

/** An application that a person allowed to act for them. */
export interface Connection {
  readonly id: number;
  readonly name: string;
  readonly since: number;
  /** last use as an assistant; null: it isn't one */
  readonly assistantUsedAt: number | null;
  /** its permissions */
  readonly may: readonly Wish[];
}

/** An assistant that a business registered: people give their own the id. */
export interface RegisteredAssistant {
  readonly name: string;
  readonly client_id: string;
}

/** Applications that act for a person. */
export interface Connections {
  /** `away`: some of them are unknown at the moment */
  list(userId: number): Promise<{ readonly connections: readonly Connection[]; readonly away: boolean }>;
  /** returns the assistants that the business registered */
  registered(providerId: number): Promise<readonly RegisteredAssistant[]>;
  /** ends one of the person's connections; false: there is no such connection */
  end(userId: number, id: number, whence: Whence): Promise<boolean>;
}

/** The request of an application. */
export interface ConsentQuestion {
  readonly id: string;
  readonly application: string;
  /** host that receives the answer, as displayed: `app.example.com` */
  readonly destination: string;
  /** the requested permissions */
  readonly wishes: readonly Wish[];
  /** names of the businesses that it can access; empty: the whole service */
  readonly businesses: readonly string[];
  /** what staff can choose among for an assistant; null: nothing */
  readonly choices: AssistantChoices | null;
}

/** The choice of a staff member for an assistant. */
export interface ChosenForAssistant {
  readonly groups: readonly string[];
  /** ids */
  readonly venues: readonly string[];
}

/** Applications that wait for a person's consent. */
export interface ConsentDesk {
  /** null: there is no such request (or no longer), or it is meant for somebody else */
  question(id: string, member: Member): Promise<ConsentQuestion | null>;
  /**
   * Answers the request; returns the address to which the browser continues, which may be the application's own. Null:
   * the request has expired.
   */
  answer(id: string, member: Member, allowed: ChosenForAssistant | boolean, whence: Whence): Promise<string | null>;
}

/** Applications that wait for a person to log in. */
export interface LogInDesk {
  /**
   * Returns what the application said about the person: an address to fill in, and the time (in epoch milliseconds)
   * after which the log-in must have happened. Null if nobody waits (or no longer).
   */
  waiting(id: string): Promise<{ readonly hint: string | null; readonly after: number | null } | null>;
  /**
   * Returns the address to which the browser of a logged-in person continues; null: the request has expired, or the
   * log-in is too old.
   */
  arrived(id: string, member: Member): Promise<string | null>;
}

export interface Desk {
  readonly door: AccountDoor;
  readonly registry: Registry;
  readonly pipeline: Pipeline;
  readonly installation: Installation;
  readonly connections: Connections;
  readonly consents: ConsentDesk;
  readonly logIns: LogInDesk;
}

/** A person who is logged in. */
export interface Member {
  readonly session: Session;
  readonly account: Account;
}

export const whence = <S extends Entrance>(visit: Visit<S>): Whence & { readonly providerId: S['id'] } => ({
  address: visit.ip,
  agent: visit.agent,
  providerId: visit.site.id,
  locale: readerAt(visit).locale,
});

/** Returns the business's clock. Sessions and links use the real time, `now` of the visit. */
export const nowAt = ({ site, now }: Pick<At, 'site' | 'now'>): number => businessTime(site.tenant, now);

/** Operations that the pages call; each must exist when the service starts. */
export const OPERATIONS = [
  'DELETE /checkouts/{id}',
  'DELETE /family_invites/{id}',
  'DELETE /payment_methods/{id}',
  'DELETE /push_notification_tokens/{id}',
  'GET /account_entries',
  'GET /attendances',
  'GET /checkouts/{id}',
  'GET /course_date_series',
  'GET /course_date_series/{id}/explain',
  'GET /course_enrollments',
  'GET /course_sessions',
  'GET /course_waitlist_spots',
  'GET /courses',
  'GET /courses/{id}',
  'GET /credit_movements',
  'GET /customer_membership_holds',
  'GET /customer_field_values',
  'GET /customer_fields',
  'GET /customer_form_submissions',
  'GET /customer_forms',
  'GET /customer_forms/{id}',
  'GET /customer_memberships',
  'GET /customer_registration_blocks',
  'GET /customers/{id}',
  'GET /customers/{id}/account_balance',
  'GET /customers/{id}/icalendar_links',
  'GET /customers/{id}/messages',
  'GET /customers/{id}/notification_preferences',
  'GET /events',
  'GET /events/{id}',
  'GET /events/{id}/explain',
  'GET /family_invites',
  'GET /gift_cards',
  'GET /gift_cards/{id}',
  'GET /invoices',
  'GET /invoices/{id}/document',
  'GET /membership_terms',
  'GET /memberships',
  'GET /memberships/{id}',
  'GET /instructors',
  'GET /instructors/{id}',
  'GET /messages/{id}',
  'GET /offering_types',
  'GET /offering_types/{id}',
  'GET /payment_methods',
  'GET /payment_processors',
  'GET /payment_subscriptions',
  'GET /payment_subscriptions/{id}',
  'GET /push_notification_settings',
  'GET /push_notification_tokens',
  'GET /slots',
  'GET /slots/{id}',
  'GET /store/product_variants',
  'GET /store/products',
  'GET /store/products/{id}',
  'GET /venues',
  'GET /venues/{id}',
  'GET /waitlist_spots',
  'PATCH /checkouts/{id}',
  'PATCH /customers/{id}',
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}',
  'PATCH /gift_cards/{id}',
  'PATCH /payment_subscriptions/{id}',
  'POST /attendances/{id}/switch_place',
  'POST /checkouts',
  'POST /checkouts/{id}/add_item',
  'POST /checkouts/{id}/page',
  'POST /checkouts/{id}/pay',
  'POST /course_date_series/{id}/enroll',
  'POST /course_date_series/{id}/join_waitlist',
  'POST /course_date_series/{id}/leave_waitlist',
  'POST /customer_form_submissions',
  'POST /customer_membership_holds',
  'POST /customer_membership_holds/{id}/end',
  'POST /customers/{id}/add_child',
  'POST /customers/{id}/entry_code/reset',
  'POST /customers/{id}/icalendar_links/reset',
  'POST /customers/{id}/move_credit',
  'POST /events/{id}/initiate_purchase',
  'POST /events/{id}/join_waitlist',
  'POST /events/{id}/leave_waitlist',
  'POST /events/{id}/register',
  'POST /events/{id}/reschedule',
  'POST /events/{id}/unregister',
  'POST /family_invites',
  'POST /family_invites/accept',
  'POST /gift_cards/redeem',
  'POST /gift_cards/{id}/print',
  'POST /membership_terms/{id}/consent',
  'POST /memberships/{id}/initiate_purchase',
  'POST /push_notification_tokens',
  'POST /slots/{id}/initiate_purchase',
  'POST /slots/{id}/register',
  'POST /store/orders',
  'POST /store/orders/checkout',
  'PUT /customers/{id}/participation',
] as const;

/** @throws Error if the interface lacks one of them, or customers may not call it */
export function checkOperations(registry: Registry): void {
  for (const name of OPERATIONS) {
    if (!registry.operation(name).who.customer) throw new Error(`the pages need ${name} for customers`);
  }
}

/** Calls the interface as a viewer, in the caller's transaction, as an application of theirs would. */
export const askAs =
  ({ pipeline, registry }: Desk, visit: At, viewer: Viewer, within: Transaction): Ask =>
  (operation, asked) => {
    const { now, requestId, baseUrl, ip } = visit;
    const tenant = tenantFor(registry, visit);
    // Links in responses stay at the host at which the page was requested.
    const caller = { viewer, tenant, now: businessTime(tenant, now), requestId, baseUrl, pagesUrl: '', ip };
    return pipeline.call(registry.operation(operation), caller, asked, within);
  };

/**
 * Calls the interface in a transaction of its own, and runs what an operation does after its commit: for operations
 * that wait for an outside service.
 */
export const askAlone =
  ({ pipeline, registry }: Desk, visit: At, viewer: Viewer): Ask =>
  (operation, asked) => {
    const { now, requestId, baseUrl, ip } = visit;
    const tenant = tenantFor(registry, visit);
    const caller = { viewer, tenant, now: businessTime(tenant, now), requestId, baseUrl, pagesUrl: baseUrl, ip };
    return pipeline.call(registry.operation(operation), caller, asked);
  };

/** Returns the reader of the page; the business's usual reader if they ask for no language that we have. */
const readerAt = <S extends Entrance>({ accepts, query, language, site }: Visit<S>): Reader =>
  readerOf(accepts, query.get('lang') ?? language, usualAt(site));

const usualAt = ({ reader = ENGLISH }: Entrance): Reader => reader;

/** Returns the words of the interface in the language of the person who reads the page. */
export const wordsFor = ({ speakers }: Pick<Registry, 'speakers'>, visit: At): Words =>
  visit.site.tenant.words.spokenBy(speakers.for(readerAt(visit)));

/** Returns a refusal as customers see it, in the language of the page. */
export const received = ({ registry }: Pick<Desk, 'registry'>, visit: At, problem: Problem): Problem =>
  problem.localizedFor('customer', wordsFor(registry, visit));

const tenantFor = (registry: Registry, visit: At): Tenant => ({
  ...visit.site.tenant,
  words: wordsFor(registry, visit),
});

/** Returns the browser's session at the requested host; undefined: this cell itself knows whether it exists. */
const sessionAt = (
  door: AccountDoor,
  { session: secret, ownHost, site }: Visit<any>,
): Promise<Session | null | undefined> =>
  ownHost === null
    ? sessionElsewhere(door, secret!)
    : findDomainSession(door, secret!, { providerId: site.id, host: ownHost });

/**
 * Returns the person who is logged in; null: nobody. Records the language in which they read, for the emails of the
 * business.
 */
export async function memberOf({ door }: Desk, visit: Visit<any>): Promise<Member | null> {
  const { session: secret, now } = visit;
  if (secret === null) return null;
  const elsewhere = await sessionAt(door, visit);
  if (elsewhere === null) return null;
  return door.db.acrossTenants('a session belongs to a person, not to a business', async (tx) => {
    const session = elsewhere ?? (await findSession(tx, secret, now));
    const account = session && (await readAccount(tx, session.userId));
    if (!session || !account) return null;
    if (isOfBusiness(visit)) {
      const { site } = visit;
      const reader = readerAt(visit);
      if (reader !== usualAt(site))
        rememberLocale(tx, { providerId: site.id, userId: account.id, locale: reader.locale });
    }
    return { session, account };
  });
}

/**
 * Serves only people who are logged in. Others log in first and then return to a page that can be requested, so that an
 * expired session doesn't lose what they were doing. `back`: that page of the account, or a function that finds it by
 * the form.
 */
export const forMembers =
  (
    desk: Desk,
    act: (visit: At, member: Member) => Promise<PageAnswer>,
    back?: string | ((visit: At) => string | null),
  ) =>
  async (visit: At): Promise<PageAnswer> => {
    const member = await memberOf(desk, visit);
    return member ? act(visit, member) : seeOther(withReturn(at(visit.site, 'log-in'), backTo(visit, back)));
  };

function backTo(visit: At, back?: string | ((visit: At) => string | null)): string {
  if (back === undefined) return visit.path;
  return typeof back === 'string' ? at(visit.site, back) : (back(visit) ?? at(visit.site, 'profile'));
}

/**
 * Logs the person in with a new session, and ends the browser's previous one; `keep`: it survives closing the browser.
 */
export async function enter(
  { door }: Desk,
  visit: Visit<Entrance>,
  { userId, secondFactor, keep = false }: { userId: number; secondFactor: boolean; keep?: boolean },
): Promise<void> {
  const { token } = await door.db.acrossTenants('a session belongs to a person, not to a business', async (tx) => {
    if (visit.session !== null) await leaveSession(tx, door, visit.session, whence(visit));
    // The business's records with the person's confirmed address become theirs at the next log-in at the latest.
    if (isOfBusiness(visit))
      await claimProfiles(tx, door.registry, { userId, providerId: visit.site.id, now: nowAt(visit) });
    return startSession(tx, { userId, secondFactor, agent: visit.agent, now: visit.now, cells: door.cells });
  });
  visit.startSession(token, keep);
}

/**
 * Returns the message for somebody who guessed too often.
 * @throws Problem if too many people log in at the same time: anybody has to try again then
 */
export function waitFor(answer: NotNow, say: AccountSay): string {
  if (answer.outcome === 'busy')
    throw new Problem(
      'unavailable',
      'Too many people are logging in right now. Try again in a moment.',
      {},
      { 'retry-after': '2' },
    );
  const { seconds } = answer;
  return seconds < 120 ? say('wait.seconds', { n: seconds }) : say('wait.minutes', { n: Math.ceil(seconds / 60) });
}

/** Returns why a password is refused and how to fix it. */
export const passwordWrong = (fault: PasswordFault, say: AccountSay): string =>
  say(`password.${fault.kind}`, { ...('length' in fault && { n: fault.length }), least: SHORTEST, most: LONGEST });

/**
 * Returns the message of a refusal for somebody who may see the object that they act on.
 * @throws any other error, which becomes a page of its own
 */
export function refusal({ registry }: Pick<Desk, 'registry'>, visit: At, error: unknown): string {
  const problem = translate(error, registry.constraints);
  if (problem instanceof Failure) throw error;
  if (problem.status === 404) throw problem;
  return received({ registry }, visit, problem).message;
}
