/** Proposals of assistants: recording, finding and ending them. The only code that writes their table. */
import { hashOf, makeSecret } from '../../people/identity/index.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import type { Asked } from '../../../kernel/api/calls.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** A person has to read the effects, and perhaps to log in first. */
export const PROPOSAL_TTL_MS = 15 * 60_000;
const KEPT_MS = 30 * 86_400_000;
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

/** Finds a proposal by its handle; `lock`: to end it. */
export const findProposal = (
  tx: Transaction,
  providerId: number,
  handle: string,
  { lock = false } = {},
): Promise<Proposal | undefined> =>
  tx.one<Proposal>(
    lock
      ? sql`SELECT id, user_id, mode, application_id, application_name, operation, asked, expires_at, outcome
          FROM assistant_proposal WHERE provider_id = ${providerId} AND handle_hash = ${hashOf(handle)} FOR UPDATE`
      : sql`SELECT id, user_id, mode, application_id, application_name, operation, asked, expires_at, outcome
          FROM assistant_proposal WHERE provider_id = ${providerId} AND handle_hash = ${hashOf(handle)}`,
  );

/** Ends a proposal that is locked. */
export const endProposal = (
  tx: Transaction,
  providerId: number,
  id: number,
  outcome: 'made' | 'declined',
  now: number,
): Promise<number> =>
  tx.run(
    sql`UPDATE assistant_proposal SET outcome = ${outcome}, ended_at = ${instant(now)}
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
