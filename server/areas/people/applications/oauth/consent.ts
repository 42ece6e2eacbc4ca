/** The consent of a person for an application, and the consent that is still missing. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { AssistantLimits } from '../rules/assistant-limits.ts';
import type { ClientApplication } from './clients.ts';

type Of = Pick<ClientApplication, 'providerId' | 'id'>;

export async function consentedScopes(tx: Transaction, { providerId, id }: Of, userId: number): Promise<string[]> {
  const row = await tx.one<{ scopes: string[] }>(
    sql`SELECT scopes FROM app_consent WHERE provider_id = ${providerId} AND application_id = ${id}
      AND user_id = ${userId}`,
  );
  return row?.scopes ?? [];
}

/** Adds to the existing consent. The limits replace those of an earlier one, for later log-ins. */
export async function noteConsent(
  tx: Transaction,
  { providerId, id }: Of,
  userId: number,
  scopes: readonly string[],
  { permissions, venues }: AssistantLimits,
  now: number,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO app_consent (provider_id, application_id, user_id, scopes, given_at, permissions, venue_ids)
      VALUES (${providerId}, ${id}, ${userId}, ${scopes}, ${instant(now)}, ${permissions}, ${venues})
        ON CONFLICT (provider_id, application_id, user_id) DO UPDATE
        SET scopes = (SELECT array_agg(DISTINCT s ORDER BY s) FROM unnest(app_consent.scopes || excluded.scopes) s),
          given_at = excluded.given_at, permissions = excluded.permissions, venue_ids = excluded.venue_ids`,
  );
}

/** Returns the missing scopes. Consent to writing includes reading; consent to every business includes each of them. */
export function missingScopes(wanted: readonly string[], agreed: readonly string[]): string[] {
  const everywhere = agreed.length > 0 && !agreed.some((s) => s.startsWith('provider:'));
  const covered = (scope: string): boolean =>
    agreed.includes(scope) ||
    (scope === 'read' && agreed.includes('read_write')) ||
    (scope.startsWith('provider:') && everywhere);
  return wanted.filter((scope) => !covered(scope));
}

/** Permissions that people are asked for, in order of display. */
const WISHES = ['openid', 'profile', 'email', 'read', 'read_write', 'propose'] as const;
export type Wish = (typeof WISHES)[number];

/**
 * Returns the permissions behind scopes, as people are asked for them; scopes that only narrow aren't shown separately.
 */
export const describeScopes = (scopes: readonly string[], { isAssistant }: { isAssistant: boolean }): Wish[] => {
  const broad = scopes.includes('read_write') ? scopes.filter((s) => s !== 'read') : scopes;
  // Writing through an assistant is proposing: the person confirms each change.
  const asked = isAssistant ? broad.map((s) => (s === 'read_write' ? 'propose' : s)) : broad;
  return WISHES.filter((wish) => asked.includes(wish));
};
