/**
 * Steps that a person takes while an application waits: logging in, and giving consent. The pages show these steps, and
 * report here how they ended. The next step is an address of the OpenID provider, which checks by itself who is logged
 * in at this browser and that this browser began the request: a report to this module grants no access elsewhere.
 */
import { applicationOfClient, type ClientApplication } from './clients.ts';
import { noteConsent, describeScopes, type Wish } from './consent.ts';
import { groupsAmong, UNLIMITED, type AssistantGroup, type AssistantLimits } from '../rules/assistant-limits.ts';
import { methodsOf, type Person } from './browser-session.ts';
import { Records, type Store } from './records.ts';
import { splitScopes } from './tokens.ts';
import { wantedScopes } from './offered.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { AdapterPayload, PromptDetail } from 'oidc-provider';

interface Pending {
  readonly interaction: string;
  readonly asks: 'login' | 'consent';
  /** the business whose pages show it */
  readonly providerId: number;
  readonly application: Pick<ClientApplication, 'id' | 'name' | 'domain' | 'firstParty'> & {
    readonly business: string;
  };
  /** host or scheme of the redirect address, in readable form */
  readonly destination: string;
  readonly scopes: readonly string[];
  /** the permissions that the application asks for */
  readonly wishes: readonly Wish[];
  /** names of the businesses concerned; empty: all */
  readonly businesses: readonly string[];
  /** the address to prefill in the log-in form */
  readonly loginHint: string | null;
  /**
   * a session from before this moment (epoch milliseconds) is not enough, because the application wants the person to
   * log in again; null: any session is
   */
  readonly logInAfter: number | null;
}

export interface AssistantChoices {
  readonly groups: readonly AssistantGroup[];
  readonly venues: readonly { readonly id: number; readonly name: string }[];
}

interface Stored extends AdapterPayload {
  params: Record<string, string | undefined>;
  prompt: PromptDetail;
  returnTo: string;
  lastSubmission?: Record<string, unknown>;
  startedAt?: number;
}

const ID = /^[\w-]{10,100}$/;
const LONGEST_HINT = 254;

export class Interactions {
  readonly #records: Records;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.#records = new Records('Interaction', store);
  }

  /** Returns a waiting request. Null if it is unknown or over, or its application has been deleted. */
  async pending(interaction: string): Promise<Pending | null> {
    const stored = await this.#find(interaction);
    if (!stored) return null;
    return this.#store.db.acrossTenants('a person is asked about an application of any business', async (tx) => {
      const application = await applicationOfClient(tx, stored.params.client_id ?? '');
      if (!application) return null;
      const scopes = wantedScopes(stored.params.scope);
      const { providerIds } = splitScopes(scopes);
      const about = providerIds.length > 0 ? providerIds : application.installationWide ? [] : [application.providerId];
      const names = await tx.rows<{ name: string }>(
        sql`SELECT name FROM provider WHERE provider_id = ANY(${about}::bigint[]) ORDER BY provider_id`,
      );
      const { id, name, domain, firstParty, businessName } = application;
      return {
        interaction,
        asks: stored.prompt.name === 'consent' ? 'consent' : 'login',
        providerId: providerIds[0] ?? application.providerId,
        application: { id, name, domain, firstParty, business: businessName },
        destination: destinationOf(stored.params.redirect_uri ?? ''),
        scopes,
        wishes: describeScopes(scopes, application),
        businesses: names.map((n) => n.name),
        loginHint: stored.params.login_hint?.slice(0, LONGEST_HINT) ?? null,
        logInAfter: wantsNewLogIn(stored) ? startedAt(stored, this.#store.now()) : null,
      } satisfies Pending;
    });
  }

  /**
   * Returns the path that the browser goes to after the log-in; null if the request is over, or this log-in is too old.
   */
  async finishLogIn(interaction: string, person: Person): Promise<string | null> {
    const stored = await this.#find(interaction);
    if (!stored || (wantsNewLogIn(stored) && person.authenticatedAt < startedAt(stored, this.#store.now())))
      return null;
    return this.#answer(interaction, stored, { login: loginOf(person, this.#store.now()) });
  }

  /**
   * Records the person's consent to what was asked; returns the path that the browser goes to. Null if the request is
   * over.
   */
  async finishConsent(
    interaction: string,
    person: Person,
    limits: AssistantLimits = UNLIMITED,
  ): Promise<string | null> {
    const stored = await this.#find(interaction);
    if (!stored) return null;
    const { db, now } = this.#store;
    const noted = await db.acrossTenants('a person agrees to an application of any business', async (tx) => {
      const application = await applicationOfClient(tx, stored.params.client_id ?? '');
      if (application) {
        const allowed = application.isAssistant ? limits : UNLIMITED;
        await noteConsent(tx, application, person.userId, wantedScopes(stored.params.scope), allowed, now());
      }
      return application !== null;
    });
    return noted ? this.#answer(interaction, stored, { consent: {} }) : null;
  }

  /**
   * Returns what the person can choose among for an assistant: groups of their permissions, and their venues. Null if
   * they are not staff at its business, or if it is no assistant.
   */
  async choicesFor(interaction: string, userId: number): Promise<AssistantChoices | null> {
    const stored = await this.#find(interaction);
    if (!stored) return null;
    return this.#store.db.acrossTenants('a person is asked about an application of any business', async (tx) => {
      const application = await applicationOfClient(tx, stored.params.client_id ?? '');
      if (!application?.isAssistant) return null;
      const { providerId } = application;
      const staff = await tx.one<{ permissions: string[]; venue_ids: number[] | null }>(
        sql`SELECT permissions, venue_ids FROM staff
          WHERE provider_id = ${providerId} AND user_id = ${userId} AND NOT archived`,
      );
      if (!staff) return null;
      const venues = await tx.rows<{ id: number; name: string }>(
        sql`SELECT id, name FROM venue WHERE provider_id = ${providerId} ORDER BY name, id LIMIT 100`,
      );
      const isLimited = (staff.venue_ids ?? []).length > 0 && !staff.permissions.includes('super_admin');
      return {
        groups: groupsAmong(staff.permissions),
        venues: isLimited ? venues.filter(({ id }) => staff.venue_ids!.includes(id)) : venues,
      };
    });
  }

  /** Records that the person denies consent: the application receives `access_denied`. */
  async deny(interaction: string): Promise<string | null> {
    const stored = await this.#find(interaction);
    return stored
      ? this.#answer(
          interaction,
          { ...stored, lastSubmission: undefined },
          { error: 'access_denied', error_description: 'the person did not agree' },
        )
      : null;
  }

  async #find(interaction: string): Promise<Stored | null> {
    if (!ID.test(interaction)) return null;
    const found = (await this.#records.find(interaction)) as Stored | undefined;
    return found && found.exp! > Date.now() / 1000 ? found : null;
  }

  async #answer(interaction: string, stored: Stored, result: Record<string, unknown>): Promise<string> {
    await this.#records.upsert(
      interaction,
      { ...stored, result: { ...stored.lastSubmission, ...result } },
      Math.max(1, stored.exp! - Math.floor(Date.now() / 1000)),
    );
    // Only the path: the browser may know the service by another host name, and its cookies belong to that name.
    const { pathname, search } = new URL(stored.returnTo);
    return pathname + search;
  }

  /** Reverts a log-in of anybody but the person who is at the browser now. */
  async keepLogInOf(interaction: string, userId: number | null): Promise<void> {
    const stored = await this.#find(interaction);
    const login = (stored?.result as { login?: { accountId?: string } } | undefined)?.login;
    if (!stored || !login || login.accountId === String(userId)) return;
    const { login: _login, ...result } = stored.result as Record<string, unknown>;
    await this.#records.upsert(
      interaction,
      { ...stored, result },
      Math.max(1, stored.exp! - Math.floor(Date.now() / 1000)),
    );
  }
}

const wantsNewLogIn = ({ prompt }: Stored): boolean =>
  prompt.name === 'login' && prompt.reasons.some((r) => r === 'login_prompt' || r === 'max_age');

/** Returns the start of a request. The records' own times are those of the machine's clock. */
const startedAt = (stored: Stored, now: number): number => (stored.iat ?? 0) * 1000 + now - Date.now();

const loginOf = (person: Person, now: number) => ({
  accountId: String(person.userId),
  amr: methodsOf(person),
  ts: Math.floor((Date.now() - now + person.authenticatedAt) / 1000),
});

function destinationOf(address: string): string {
  const url = URL.parse(address);
  return !url ? '' : url.host || url.protocol;
}
