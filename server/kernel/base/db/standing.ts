/** The check that a credential still reaches what it did when it was checked, made as a transaction opens. */
import { fill, param, sql, statement } from './sql.ts';
import type { Answer, Command } from './sharing/batch.ts';

interface Since {
  readonly subjects: readonly string[];
  readonly from: number;
  readonly to: number;
}
// Each change has its own epoch: fewer rows than epochs mean that some changes have already been deleted.
const CHANGES = statement(sql`SELECT count(*) AS changes,
    coalesce(bool_or(subject = ANY (${param((since: Since) => since.subjects)}::text[])), false) AS concerned
  FROM access_change WHERE epoch > ${param((since: Since) => since.from)}::bigint
    AND epoch <= ${param((since: Since) => since.to)}::bigint`);

/**
 * The reach of some credential has changed since the caller's was checked: there is no response and nothing is kept,
 * and the caller must be checked again. Thrown only to callers that passed the epoch of their check.
 */
export class AccessChanged extends Error {
  constructor() {
    super('what credentials reach has changed');
  }
}

/** A credential as it was checked: the epoch up to which the check holds, and whose changes would affect it. */
export interface CredentialCheck {
  readonly epoch: number;
  readonly subjects: readonly string[];
  /** called if others' credentials have changed since */
  readonly onStale?: () => void;
}

/**
 * Returns the shared standing of calls in one transaction: it stops if the credential of any has changed, and then all
 * are checked again.
 */
export function sharedStanding(all: readonly (CredentialCheck | undefined)[]): CredentialCheck | undefined {
  const known = all.filter((s) => s !== undefined);
  if (known.length === 0) return undefined;
  return {
    epoch: Math.min(...known.map((s) => s.epoch)),
    subjects: [...new Set(known.flatMap((s) => s.subjects))],
    onStale: known[0].onStale,
  };
}

/**
 * Reads the epoch, which every way in selects as the last column of an opening statement. Looks at the changes since
 * the credential was checked, so that a burst of other people's changes stops nobody.
 * @throws AccessChanged if a change affects the credential
 */
export async function checkStanding(
  opened: Answer,
  standing: CredentialCheck | undefined,
  send: (command: Command) => Promise<Answer[]>,
): Promise<void> {
  if (standing === undefined) return;
  const epoch = Number(opened.rows[0].at(-1));
  if (epoch <= standing.epoch) return;
  const since: Since = { subjects: standing.subjects, from: standing.epoch, to: epoch };
  const [
    {
      rows: [[changes, concerned]],
    },
  ] = await send({ statement: CHANGES, values: fill(CHANGES.holes, since) });
  if (concerned === 't' || Number(changes) !== epoch - standing.epoch) throw new AccessChanged();
  standing.onStale?.();
}
