/** The text for visitors of the address that a customer shared. */
import { credit, settingsOf } from './settings.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface Invitation {
  /** the code as it is stored */
  readonly code: string;
  readonly firstName: string;
  /** things that the new customer gets, each as the end of a sentence */
  readonly gets: readonly string[];
}

/** Returns null if nobody has this code. Reveals only the first name of the person who shared it. */
export async function invitationBy(tx: Transaction, tenant: Tenant, code: string): Promise<Invitation | null> {
  const { providerId, currency } = tenant;
  const found = await tx.one<{ code: string; name: string | null }>(
    sql`SELECT referral_code AS code, first_name AS name FROM customer
        WHERE provider_id = ${providerId} AND referral_code = ${code.trim().toUpperCase()} AND deleted_at IS NULL`,
  );
  if (!found) return null;
  const settings = await settingsOf({ tx, providerId });
  const membership =
    settings.membership === null
      ? undefined
      : await tx.one<{ name: string }>(
          sql`SELECT name FROM membership WHERE provider_id = ${providerId} AND id = ${settings.membership}`,
        );
  const amount = credit(settings.signupCredit, currency);
  const when = settings.confirmsOn === 'first_visit' ? 'after your first visit' : 'after your first purchase';
  return {
    code: found.code,
    firstName: found.name ?? 'A friend',
    gets: settings.enabled
      ? [
          ...(membership ? [`${membership.name}, free of charge`] : []),
          ...(settings.discount === null ? [] : [`a code for ${settings.discount}% off one purchase`]),
          ...(amount === null ? [] : [`${amount} of account credit ${when}`]),
        ]
      : [],
  };
}
