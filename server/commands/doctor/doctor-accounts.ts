/** Problems of the accounts that this cell shares with others. Nothing without cells. */
import type { Check } from './doctor-finding.ts';

const MAX_SHOWN = 5;
/** A cell that is down for a moment is not worth reporting. */
const LATE_MS = 10 * 60_000;

/** Finds accounts that differ between cells, and changes that some cell has not received. */
export const sharedAccounts: Check = async (client, now) => {
  const { rows: clashes } = await client.query<{
    email: string;
    id: string;
    cell: number;
    other: string;
    over: string;
  }>(
    `SELECT u.email, u.id, c.cell, c.other_id AS other, c.over FROM account_clash c
      JOIN user_account u ON u.id = c.user_id ORDER BY c.seen_at LIMIT ${MAX_SHOWN}`,
  );
  const {
    rows: [{ late }],
  } = await client.query<{ late: number }>(
    'SELECT count(*)::int AS late FROM account_news WHERE change < $1::bigint * 1000',
    [now() - LATE_MS],
  );
  return {
    findings: [
      ...clashes.map(({ email, id, cell, other, over }) =>
        over === 'address'
          ? {
              wrong: `${email} has two accounts, ${id} in this cell and ${other} in cell ${cell}: the person signed up in both at the same moment. Each works in its own cell only.`,
              remedy: `Ask the person which one they use, and have them change the address of the other on its account page. "rollcall account show ${email}" shows the one of each cell.`,
            }
          : {
              wrong: `The account ${id} (${email}) and an account of cell ${cell} have the same id, so neither is known in the other cell.`,
              remedy: 'Begin every cell but the first with an empty database, so that each gives ids of its own.',
            },
      ),
      ...(late > 0
        ? [
            {
              wrong: `${late === 1 ? 'A change' : `${late} changes`} of accounts, such as new passwords, ${late === 1 ? 'has' : 'have'} not reached every other cell for more than ${LATE_MS / 60_000} minutes.`,
              remedy: 'Bring the cells back that are away, and check that a worker runs here: it tells them.',
            },
          ]
        : []),
    ],
  };
};
