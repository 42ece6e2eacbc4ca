/** Preferences of a customer for each kind of message: checked whenever one may be sent. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Preference {
  /** kind of message */
  readonly type: string;
  readonly email_enabled: boolean;
  readonly sms_enabled: boolean;
}

/** Returns the preferences; kinds without a choice by the customer are left out. */
export const preferencesOf = ({ tx, providerId }: Work, customer: number): Promise<Preference[]> =>
  tx.rows(
    sql`SELECT type, email_enabled, sms_enabled FROM notification_preference
      WHERE provider_id = ${providerId} AND customer_id = ${customer}`,
  );

export async function keepPreference(
  { tx, providerId, now }: Work,
  customer: number,
  { type, email_enabled, sms_enabled }: Preference,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO notification_preference (provider_id, customer_id, type, email_enabled, sms_enabled, updated_at)
    VALUES (${providerId}, ${customer}, ${type}, ${email_enabled}, ${sms_enabled}, ${instant(now)})
    ON CONFLICT (provider_id, customer_id, type)
    DO UPDATE SET email_enabled = excluded.email_enabled, sms_enabled = excluded.sms_enabled,
      updated_at = excluded.updated_at`);
}
