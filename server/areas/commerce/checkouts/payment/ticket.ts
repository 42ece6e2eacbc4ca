/**
 * The secret in the address of a checkout's payment page. A ticket that staff requested is the page's credential; with
 * a ticket that a customer requested, only a person who acts for the payer can pay.
 */
import { hashOf, isWellFormed, makeSecret } from '../../../people/identity/index.ts';
import { checkoutOfLink, notifyLater } from '../unfinished.ts';
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
  if (work.viewer.mode === 'customer') notifyLater(work, checkout);
  return secret;
}

/**
 * Returns the checkout of a secret, or of the link in the email about it, which opens no more than the secret does;
 * null if there is none.
 */
export async function checkoutOf(
  { tx, providerId, installation: { box } }: Pick<Work, 'tx' | 'providerId' | 'installation'>,
  secret: string,
): Promise<CheckoutRow | null> {
  const linked = checkoutOfLink(box, providerId, secret);
  if (linked === null && !isWellFormed(PREFIX, secret)) return null;
  const which = linked === null ? sql`secret_hash = ${hashOf(secret)}::bytea` : sql`id = ${linked}`;
  const found = await tx.one<CheckoutRow>(sql`SELECT * FROM checkout WHERE provider_id = ${providerId} AND ${which}`);
  return found ?? null;
}
