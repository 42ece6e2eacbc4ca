/** Proposals of assistants: recording, finding and ending them. The only code that writes their table. */
import { hashOf, makeSecret } from '../../people/identity/index.ts';
import { instant, json, raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Asked } from '../../../kernel/api/calls.ts';
import type { Use } from './rules/daily-limits.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** A person has to read the effects, and perhaps to log in first. */
export const PROPOSAL_TTL_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
const HANDLE = 'rcq_';
const BATCH_SIZE = 10_000;

export interface Proposal {
  readonly id: number;
  readonly user_id: number | null;
  readonly mode: 'provider' | 'customer';
  readonly application_id: number | null;
  readonly application_name: string | null;
  readonly operation: string;
  readonly asked: Pick<Asked, 'params' | 'query' | 'body'>;
  /** epoch milliseconds */
  readonly expires_at: number;
  readonly outcome: 'made' | 'declined' | null;
}

export type NewProposal = Omit<Proposal, 'id' | 'expires_at' | 'outcome'>;

/** Records a proposal and returns its handle. */
export async function recordProposal(
  tx: Transaction,
  providerId: number,
  { user_id, mode, application_id, application_name, operation, asked }: NewProposal,
  now: number,
): Promise<string> {
  const { secret, hash } = makeSecret(HANDLE);
  await tx.run(
    sql`INSERT INTO assistant_proposal (provider_id, handle_hash, user_id, mode, application_id, application_name,
        operation, asked, created_at, expires_at)
      VALUES (${providerId}, ${hash}, ${user_id}, ${mode}, ${application_id}, ${application_name}, ${operation},
        ${json(asked)}, ${instant(now)}, ${instant(now + PROPOSAL_TTL_MS)})`,
  );
  return secret;
}

const COLUMNS = raw(
  'p.id, p.user_id, p.mode, p.application_id, p.application_name, p.operation, p.asked, p.expires_at, p.outcome',
);

/** Finds a proposal by its handle. */
export const findProposal = (tx: Transaction, providerId: number, handle: string): Promise<Proposal | undefined> =>
  tx.one<Proposal>(
    sql`SELECT ${COLUMNS} FROM assistant_proposal p
      WHERE p.provider_id = ${providerId} AND p.handle_hash = ${hashOf(handle)}`,
  );

/**
 * Locks a proposal to end it, with all others that wait for the same person and come from the same assistant: two of
 * them, confirmed at once, must not both fit into what is left of a daily limit.
 */
export async function lockProposal(
  tx: Transaction,
  providerId: number,
  handle: string,
  now: number,
): Promise<Proposal | undefined> {
  const rows = await tx.rows<Proposal & { readonly wanted: boolean }>(
    sql`SELECT ${COLUMNS}, p.handle_hash = w.handle_hash AS wanted
      FROM assistant_proposal p JOIN assistant_proposal w ON w.provider_id = p.provider_id
        AND w.handle_hash = ${hashOf(handle)}
        AND (w.id = p.id OR (p.outcome IS NULL AND p.expires_at > ${instant(now)}
          AND (p.user_id, p.application_id) = (w.user_id, w.application_id)))
      WHERE p.provider_id = ${providerId} ORDER BY p.id FOR UPDATE OF p`,
  );
  return rows.find(({ wanted }) => wanted);
}

/** Returns what the confirmed changes of a person's assistant did in the last 24 hours. */
export async function usedToday(
  tx: Transaction,
  providerId: number,
  { user_id, application_id }: Pick<Proposal, 'user_id' | 'application_id'>,
  now: number,
): Promise<Use> {
  const used = await tx.one<Use>(
    sql`SELECT coalesce(sum(messages), 0)::bigint AS messages, coalesce(sum(amount_minor), 0)::bigint AS amount
      FROM assistant_proposal
      WHERE provider_id = ${providerId} AND user_id = ${user_id} AND application_id = ${application_id}
        AND outcome = 'made' AND ended_at > ${instant(now - DAY_MS)}`,
  );
  return used!;
}

/** Ends a proposal that is locked. `use`: what a confirmed change did. */
export const endProposal = (
  tx: Transaction,
  providerId: number,
  id: number,
  outcome: 'made' | 'declined',
  now: number,
  use: Use | null = null,
): Promise<number> =>
  tx.run(
    sql`UPDATE assistant_proposal SET outcome = ${outcome}, ended_at = ${instant(now)},
        messages = ${use?.messages ?? null}, amount_minor = ${use?.amount ?? null}
      WHERE provider_id = ${providerId} AND id = ${id}`,
  );

/** Deletes proposals a month after they were made: the audit has what came of them. */
export const sweepProposals = async (tx: Transaction, now: number): Promise<void> => {
  await tx.run(
    sql`DELETE FROM assistant_proposal p USING (
        SELECT provider_id, id FROM assistant_proposal WHERE created_at < ${instant(now - KEPT_MS)}::timestamptz
        ORDER BY created_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED) old
      WHERE p.provider_id = old.provider_id AND p.id = old.id`,
  );
};
