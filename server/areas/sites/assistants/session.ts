/** One request of an assistant: its caller, and calls of the interface on the caller's behalf. */
import { ENGLISH } from '../../../kernel/base/languages/languages.ts';
import { effectsInWords, type EffectText } from './effects.ts';
import { findExceeded, type Exceeded } from './limits.ts';
import { findProposal, recordProposal } from './proposals.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { allows } from '../../../kernel/api/who.ts';
import { sideFor } from '../../../kernel/base/values/wording.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import { isKeptOut } from './kept-out.ts';
import type { Admitted } from '../../../kernel/api/requests/admission.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { EffectLike } from './rules/effect-lines.ts';
import type { Asked } from '../../../kernel/api/calls.ts';
import type { Declared } from '../../../kernel/api/contract.ts';
import type { Entrance } from '../../../kernel/work/access/grant.ts';
import type { Pipeline } from '../../../kernel/api/requests/pipeline.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

interface SessionOptions {
  readonly db: Database;
  readonly registry: Registry;
  readonly pipeline: Pipeline;
  readonly admitted: Admitted;
  readonly entrance: Entrance;
  /** base URL of pages for people, without a trailing slash */
  readonly pagesUrl: string;
}

export class Session {
  readonly #o: SessionOptions;

  constructor(options: SessionOptions) {
    this.#o = options;
  }

  get registry(): Registry {
    return this.#o.registry;
  }
  get admitted(): Admitted {
    return this.#o.admitted;
  }
  get zone(): string {
    return this.#o.admitted.caller.tenant.zone;
  }
  get currency(): string {
    return this.#o.admitted.caller.tenant.currency;
  }
  /** The current time at the business, in epoch milliseconds. */
  get now(): number {
    return this.#o.admitted.caller.now;
  }
  get isCustomer(): boolean {
    return this.#o.admitted.caller.viewer.mode === 'customer';
  }
  /** True if the caller may prepare changes here. */
  get writes(): boolean {
    const { grant, caller } = this.#o.admitted;
    return this.#o.entrance === 'mcp' && grant.writes && ['provider', 'customer'].includes(caller.viewer.mode);
  }

  /** Returns true if the caller may call the operation through an assistant at all. */
  allows(operation: string): boolean {
    return this.offers(this.registry.operation(operation) as Declared);
  }

  offers(endpoint: Declared): boolean {
    return !isKeptOut(endpoint) && allows(endpoint.who, this.#o.admitted.caller.viewer);
  }

  /** Calls an operation as the caller. @throws Problem in the words for the caller */
  async call(operation: string, asked: Asked = {}): Promise<any> {
    const { pipeline, registry } = this.#o;
    const { caller } = this.#o.admitted;
    try {
      return await pipeline.call(registry.operation(operation), caller, asked);
    } catch (error) {
      const problem = translate(error, registry.constraints);
      if (!(problem instanceof Problem) || problem.status >= 500) throw error;
      throw problem.localizedFor(sideFor(caller.viewer.mode), caller.tenant.words);
    }
  }

  /** Returns the effects of a dry run in words. */
  inWords(effects: readonly EffectLike[]): Promise<EffectText[]> {
    const { tenant } = this.#o.admitted.caller;
    const { words, currency, zone } = tenant;
    const look = async (operation: string, query: Record<string, string | number>) =>
      this.allows(operation) ? this.call(operation, { query }) : null;
    return effectsInWords(effects, { look, reader: ENGLISH, words, currency, zone });
  }

  /** Returns the daily limit of the assistant that a change with these effects would exceed; null: none. */
  findExceeded(effects: readonly EffectLike[]): Promise<Exceeded | null> {
    const { providerId, userId, applicationId } = this.#o.admitted.caller.viewer;
    const proposal = { user_id: userId, application_id: applicationId };
    return this.#o.db.looking(providerId, (tx) =>
      findExceeded(tx, effects, { providerId, proposal, currency: this.currency, now: this.now }),
    );
  }

  /** Records a proposal; returns its handle, and the page on which the person confirms it. */
  async propose(
    operation: string,
    asked: Pick<Asked, 'params' | 'query' | 'body'>,
  ): Promise<{ handle: string; page: string }> {
    const { db, admitted } = this.#o;
    const { viewer } = admitted.caller;
    const { userId, applicationId, applicationName, providerId } = viewer;
    const handle = await db.transaction(
      providerId,
      (tx) =>
        recordProposal(
          tx,
          providerId,
          {
            user_id: userId,
            mode: viewer.mode === 'customer' ? 'customer' : 'provider',
            application_id: applicationId,
            application_name: applicationName,
            operation,
            asked,
          },
          this.now,
        ),
      admitted.standing,
    );
    return { handle, page: this.proposalPage(handle) };
  }

  proposalPage(handle: string): string {
    const { pagesUrl, admitted } = this.#o;
    return `${pagesUrl}/account/${admitted.caller.viewer.providerId}/proposal/${encodeURIComponent(handle)}`;
  }

  /** Returns what became of a proposal of the caller. */
  async proposalState(handle: string): Promise<'unknown' | 'waiting' | 'expired' | 'made' | 'declined'> {
    const { viewer } = this.#o.admitted.caller;
    const { providerId, userId, applicationId } = viewer;
    const found = await this.#o.db.looking(providerId, (tx) => findProposal(tx, providerId, handle));
    if (!found || found.user_id !== userId || found.application_id !== applicationId) return 'unknown';
    return found.outcome ?? (found.expires_at > this.now ? 'waiting' : 'expired');
  }

  /** Returns the URL of a screen of the dashboard, for example `people/12`; null for customers. */
  screen(path: string): string | null {
    const { admitted, pagesUrl } = this.#o;
    const { viewer } = admitted.caller;
    return viewer.mode === 'provider' ? `${pagesUrl}/dashboard/${viewer.providerId}/${path}` : null;
  }

  /** Returns the URL of a page of the account, for example `profile/bookings`; null for staff. */
  page(path: string): string | null {
    const { admitted, pagesUrl } = this.#o;
    const { viewer } = admitted.caller;
    return viewer.mode === 'customer' ? `${pagesUrl}/account/${viewer.providerId}/${path}` : null;
  }
}
