/**
 * A checkout behind the secret of its page: who may see it, its state, and what the forms of its page do. It acts
 * through the operations of the interface, as the person who reads the page.
 */
import {
  askAlone,
  askAs,
  type At,
  type Desk,
  type Member,
  wordsFor,
  actingAs,
  loadStaffViewer,
} from '../frame/index.ts';
import { checkoutOf, pollCheckout } from '../../commerce/checkouts/index.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { ownViewer, type Viewer } from '../../../kernel/work/access/viewer.ts';
import { readView } from './read-view.ts';
import { businessTime } from '../../../kernel/work/unit/work.ts';
import type { CheckoutView, Invoice, Way } from './view.ts';
import type { FileToSend } from '../../../kernel/api/file.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** The viewers with which the page reads a checkout. */
export interface Reached {
  readonly id: number;
  readonly payer: number;
  /** the reader is logged in, and acts for the payer */
  readonly known: boolean;
  readonly viewer: Viewer;
  /** viewer that reads the terms and agrees to them: customers may not see everything that staff sell */
  readonly reader: Viewer;
}

/** `gone`: the checkout doesn't exist, or belongs to somebody else. */
export type Found =
  | { readonly kind: 'gone' | 'log_in' }
  | { readonly kind: 'found'; readonly reached: Reached; readonly view: CheckoutView };

async function reach(
  { installation }: Desk,
  tx: Transaction,
  visit: At,
  member: Member | null,
  ticket: string,
): Promise<Reached | Found> {
  const { id: providerId } = visit.site;
  const row = await checkoutOf({ tx, providerId, installation }, ticket);
  if (!row) return { kind: 'gone' };
  const { id, customer_id: payer } = row;
  const own = member && (await loadStaffViewer(tx, visit, member));
  const known = own?.people?.some((person) => person.id === payer) ?? false;
  // An address that staff created is a credential: anyone who has it acts as the payer, for this checkout only.
  if (row.address_suffices) {
    const viewer = await actingAs(providerId, payer, `checkout:${id}`);
    return { id, payer, known, viewer, reader: ownViewer(providerId, `checkout:${id}`) };
  }
  if (!own) return { kind: 'log_in' };
  return known ? { id, payer, known, viewer: own.viewer, reader: own.viewer } : { kind: 'gone' };
}

export class AtCheckout {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  read(visit: At, member: Member | null, ticket: string): Promise<Found> {
    return this.#desk.door.db.looking(visit.site.id, async (tx): Promise<Found> => {
      const reached = await reach(this.#desk, tx, visit, member, ticket);
      if ('kind' in reached) return reached;
      const [ask, read] = [askAs(this.#desk, visit, reached.viewer, tx), askAs(this.#desk, visit, reached.reader, tx)];
      return {
        kind: 'found',
        reached,
        view: await readView({ ask, read, tx, visit, ticket, words: wordsFor(this.#desk.registry, visit), ...reached }),
      };
    });
  }

  /**
   * Asks the processor about a pending payment. Returns true if there was a response, so that the checkout is read
   * again.
   */
  hurry({ site: { tenant }, now }: At, { id }: Reached): Promise<boolean> {
    const { door, registry, installation } = this.#desk;
    return pollCheckout({ db: door.db, registry, installation, tenant, now: businessTime(tenant, now), id });
  }

  /** Returns the invoice as a document. */
  invoice(visit: At, { viewer }: Reached, { id }: Invoice): Promise<FileToSend> {
    return this.#desk.door.db.looking(visit.site.id, (tx) =>
      askAs(this.#desk, visit, viewer, tx)('GET /invoices/{id}/document', { params: { id } }),
    );
  }

  /** Enters or removes a discount code, or switches account credit on or off. @throws Problem the refusal */
  change(
    visit: At,
    { id, viewer }: Reached,
    body: { discount_code?: string | null; use_account_credit?: boolean },
  ): Promise<unknown> {
    return askAlone(this.#desk, visit, viewer)('PATCH /checkouts/{id}', { params: { id }, body });
  }

  /** @throws Problem if it can no longer be cancelled */
  cancel(visit: At, { id, viewer }: Reached): Promise<unknown> {
    return askAlone(this.#desk, visit, viewer)('DELETE /checkouts/{id}', { params: { id } });
  }

  /**
   * Agrees to the terms and pays. `way` null: at the desk, or nothing is left to pay. Returns the address where the
   * payer continues; null: none.
   * @throws Problem the refusal
   */
  async pay(
    visit: At,
    { id, payer, viewer, reader }: Reached,
    view: CheckoutView,
    { way, save, outcome, here }: { way: Way | null; save: boolean; outcome: string; here: string },
  ): Promise<string | null> {
    await this.#agree(visit, reader, payer, view);
    const { sums } = view;
    const { currency } = visit.site.tenant;
    const paid = await askAlone(
      this.#desk,
      visit,
      viewer,
    )('POST /checkouts/{id}/pay', {
      params: { id },
      query: { fields: 'status,next_action' },
      body: {
        total: formatDecimal({ minor: sums.total, currency }),
        ...(sums.due > 0 && (way === null ? { pay_later: true } : { payment_processor: way.id })),
        ...(way?.method && { payment_method: way.method }),
        ...(way?.saves && save && { save_payment_method: true }),
        ...(way?.test && { scenario: outcome }),
        return_to: here,
      },
    });
    return paid.next_action?.url ?? null;
  }

  /**
   * Records consent to the terms and policies. It stays even if the payment fails; terms that changed since they were
   * shown are refused.
   */
  async #agree(visit: At, reader: Viewer, payer: number, { terms, policies }: CheckoutView): Promise<void> {
    const asked = policies.filter((one) => one.asked);
    if (terms.length + asked.length === 0) return;
    await this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const ask = askAs(this.#desk, visit, reader, tx);
      for (const { id, version, customer } of terms)
        await ask('POST /membership_terms/{id}/consent', {
          params: { id },
          body: { version, customer, how: 'online' },
        });
      for (const { id: policy, version } of asked)
        await ask('POST /policy_agreements', { body: { policy, version, customer: payer } });
    });
  }
}
