/**
 * Authorizations in other cells: of applications that reach every business, and of tokens that arrive at a cell that
 * does not own them. Only the cell that has an authorization knows if it is valid, so that cell is asked for each
 * request.
 */
import type { CellMeans, CellQuestion } from '../../../../kernel/api/cell-declarations.ts';
import { firstAnswer, firstToKnow, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import { connectionsOf, disconnect, type Connected } from './connections.ts';
import { isRefreshTokenHere, refresh, type Refreshed, type RefreshWish } from './tokens.ts';
import { cellAway, noteUserEvent, orUnavailable, partsOf, type Part, type Whence } from '../../identity/index.ts';
import { readAuthorization, type AuthorizationRow } from './authorization.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface HeldAuthorization {
  readonly row: AuthorizationRow;
  /** since when each part of the account has its present state there */
  readonly parts: readonly Part[];
}

interface Asked {
  readonly authorization: number;
  readonly sub: string;
  readonly client_id: string;
}

const answerAuthorization = ({ db, now }: CellMeans, asked: Asked): Promise<HeldAuthorization | null> =>
  db.lookingAcross('an access token names the authorization that it belongs to', async (tx) => {
    const row = await readAuthorization(tx, asked, now);
    if (!row) return null;
    const account = await tx.one<{ parts: Part[] }>(
      sql`SELECT ${partsOf} AS parts FROM user_account u WHERE u.id = ${row.user_id}`,
    );
    return { row, parts: account!.parts };
  });

/**
 * Reads an authorization from another cell, and which cell it is. `cell`: the one that issued the token, if the token
 * names it; after its business has moved, another cell has it. Null if no cell has it.
 * @throws Problem `unavailable` while a cell that may have it is unreachable
 */
export async function authorizationElsewhere(
  cells: OtherCells,
  cell: number | null,
  { authorization, sub, client_id }: Asked,
): Promise<(HeldAuthorization & { readonly cell: number }) | null> {
  const ask = async (one: number) => {
    const held = await cells.ask<HeldAuthorization | null>(one, 'authorization', { authorization, sub, client_id });
    return held && { ...held, cell: one };
  };
  const named = cells.others.filter((one) => one === cell);
  const first = await firstAnswer(named.map(ask));
  if (first.found) return first.found;
  const { found, away } = await firstAnswer(cells.others.filter((one) => !named.includes(one)).map(ask));
  if (!found && (first.away ?? away)) throw cellAway();
  return found;
}

const PURPOSE = 'refresh between cells';
const sealed = (box: SecretBox, what: unknown): string => box.seal(PURPOSE, JSON.stringify(what));

const answerRefresh = async (
  { db, installation, now }: CellMeans,
  { wish }: { wish: string },
): Promise<{ refreshed: string } | null> => {
  const { box } = installation;
  const asked = JSON.parse(box.open(PURPOSE, wish)) as RefreshWish;
  const refreshed = await db.acrossTenants('a refresh token names the authorization that it belongs to', async (tx) =>
    (await isRefreshTokenHere(tx, asked.refreshToken)) ? refresh(tx, installation, now, asked) : null,
  );
  return refreshed && { refreshed: sealed(box, refreshed) };
};

/**
 * Refreshes in the cell that owns the refresh token, and returns its response; null if the token belongs to this cell,
 * or to none.
 * @throws Problem `unavailable` while a cell that may have it is unreachable
 */
export async function refreshElsewhere(
  tx: Transaction,
  { cells, box }: { readonly cells: OtherCells | null; readonly box: SecretBox },
  wish: RefreshWish,
): Promise<Refreshed | null> {
  if (cells === null || (await isRefreshTokenHere(tx, wish.refreshToken))) return null;
  const ask = (cell: number) =>
    cells.ask<{ refreshed: string } | null>(cell, 'refresh_token', { wish: sealed(box, wish) });
  const found = await orUnavailable(firstToKnow(cells.others.map(ask)));
  return found && (JSON.parse(box.open(PURPOSE, found.refreshed)) as Refreshed);
}

/** Returns the applications that act for the person in other cells; `away`: some cells could not be asked. */
export async function connectionsElsewhere(
  cells: OtherCells | null,
  user: number,
): Promise<{ connections: Connected[]; away: boolean }> {
  const answers = await Promise.allSettled(
    (cells?.others ?? []).map((cell) => cells!.ask<Connected[]>(cell, 'connections', { user })),
  );
  return {
    connections: answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    away: answers.some(({ status }) => status === 'rejected'),
  };
}

/**
 * Ends everything that an application of another cell holds of the person; returns false if no cell knows the
 * application.
 * @throws Problem `unavailable` if no cell that responds knows it, and one is unreachable
 */
export async function disconnectElsewhere(
  cells: OtherCells | null,
  asked: { user: number; application: number; whence: Whence },
): Promise<boolean> {
  if (cells === null) return false;
  const disconnect = async (cell: number) =>
    (await cells.ask<{ ended: boolean }>(cell, 'disconnect', asked)).ended || null;
  return (await orUnavailable(firstToKnow(cells.others.map(disconnect)))) ?? false;
}

export const AUTHORIZATION_QUESTIONS: readonly CellQuestion[] = [
  { name: 'authorization', answer: answerAuthorization },
  { name: 'refresh_token', answer: answerRefresh },
  {
    name: 'connections',
    answer: ({ db, now }, { user }: { user: number }) =>
      db.lookingAcross('a person sees what acts for it at every business', (tx) => connectionsOf(tx, user, now)),
  },
  {
    name: 'disconnect',
    answer: ({ db, now }, { user, application, whence }: { user: number; application: number; whence: Whence }) =>
      db.acrossTenants('a person ends what acts for it at every business', async (tx) => {
        const ended = await disconnect(tx, user, application, now);
        if (ended)
          await noteUserEvent(tx, user, 'application_disconnected', { ...whence, application: ended.name }, now);
        return { ended: ended !== null };
      }),
  },
];
