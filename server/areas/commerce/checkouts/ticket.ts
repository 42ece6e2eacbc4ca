/**
 * The secret in the address of the page on which a checkout is paid. One that staff asked for is the credential of the
 * page; with one that a customer asked for, only somebody who acts for the payer can pay.
 */
import { hashOf, isWellFormed, makeSecret } from '../../people/identity/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { CheckoutRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const PREFIX = 'rck_';

/**
 * A new secret for the page of a checkout. It appears only here; an earlier one ends with it. `returnTo`: the page of ours
 * that the payer came from.
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

/** The checkout that a secret is for; null: none. */
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
