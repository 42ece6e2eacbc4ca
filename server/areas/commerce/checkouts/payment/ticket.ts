/**
 * The secret in the address of a checkout's payment page. A ticket that staff requested is the page's credential; with
 * a ticket that a customer requested, only a person who acts for the payer can pay.
 */
import { hashOf, isWellFormed, makeSecret } from '../../../people/identity/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { updateRow } from '../../../../kernel/work/unit/row.ts';
import type { CheckoutRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const PREFIX = 'rck_';

/**
 * Creates a new secret for the page of a checkout. It is returned only here, and replaces an earlier one. `returnTo`:
 * the page of ours that the payer came from.
 */
export async function giveTicket(work: Work, checkout: number, returnTo?: string): Promise<string> {
  const { secret, hash } = makeSecret(PREFIX);
  await updateRow(work, 'checkout', checkout, {
    secret_hash: hash,
    address_suffices: work.viewer.mode === 'provider',
    return_to: returnTo,
  });
  return secret;
}

/** Returns the checkout of a secret; null if there is none. */
export async function checkoutOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  secret: string,
): Promise<CheckoutRow | null> {
  if (!isWellFormed(PREFIX, secret)) return null;
  const found = await tx.one<CheckoutRow>(
    sql`SELECT * FROM checkout WHERE provider_id = ${providerId} AND secret_hash = ${hashOf(secret)}::bytea`,
  );
  return found ?? null;
}
