/**
 * Authorizations in other cells: of applications that reach every business, and of tokens that arrive at a cell that
 * does not own them. Only the cell that has an authorization knows if it is valid, so that cell is asked for each
 * request.
 */
import {
  connectionsOf,
  disconnect,
  isRefreshTokenHere,
  profilesHere,
  readAuthorization,
  refresh,
  type AuthorizationKey,
  type AuthorizationRow,
  type AuthorizationsElsewhere,
  type Connected,
  type Disconnection,
  type PrintedProfile,
  type ProfilesWish,
  type Refreshed,
  type RefreshWish,
} from '../../areas/people/applications/index.ts';
import { cellAway, firstAnswer, firstToKnow, orUnavailable } from '../../kernel/work/unit/other-cells.ts';
import { letsIn } from './sessions.ts';
import { noteUserEvent, partsOf, type Part } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { CellMeans, CellQuestion } from '../cells/question.ts';
import type { Network } from './copies.ts';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

interface HeldAuthorization {
  readonly row: AuthorizationRow;
  /** since when each part of the account has its present state there */
  readonly parts: readonly Part[];
}

const answerAuthorization = ({ db, now }: CellMeans, key: AuthorizationKey): Promise<HeldAuthorization | null> =>
  db.lookingAcross('an access token names the authorization that it belongs to', async (tx) => {
    const row = await readAuthorization(tx, key, now);
    if (!row) return null;
    const account = await tx.one<{ parts: Part[] }>(
      sql`SELECT ${partsOf} AS parts FROM user_account u WHERE u.id = ${row.user_id}`,
    );
    return { row, parts: account!.parts };
  });

/** Reads an authorization from another cell, and which cell it is. */
async function findAuthorization(
  { cells }: Network,
  issuer: number | null,
  { authorization, sub, client_id }: AuthorizationKey,
): Promise<(HeldAuthorization & { readonly cell: number }) | null> {
  const ask = async (cell: number) => {
    const held = await cells.ask<HeldAuthorization | null>(cell, 'authorization', { authorization, sub, client_id });
    return held && { ...held, cell };
  };
  const named = cells.others.filter((cell) => cell === issuer);
  const first = await firstAnswer(named.map(ask));
  if (first.found) return first.found;
  const { found, away } = await firstAnswer(cells.others.filter((cell) => !named.includes(cell)).map(ask));
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

export function authorizationsAt(network: Network): AuthorizationsElsewhere {
  const { cells, box } = network;
  /** Returns the answers of the cells that respond, and whether one doesn't. */
  const askAll = async <Answer>(question: string, asked: unknown): Promise<{ answers: Answer[]; away: boolean }> => {
    const answers = await Promise.allSettled(cells.others.map((cell) => cells.ask<Answer[]>(cell, question, asked)));
    return {
      answers: answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
      away: answers.some(({ status }) => status === 'rejected'),
    };
  };
  return {
    async find(door, issuer, key) {
      const held = await findAuthorization(network, issuer, key);
      if (!held) return null;
      const { cell, parts, row } = held;
      const account = { userId: row.user_id, since: row.created_at, parts };
      return (await letsIn(network, door, cell, account)) ? row : null;
    },
    async refresh(wish) {
      const ask = (cell: number) =>
        cells.ask<{ refreshed: string } | null>(cell, 'refresh_token', { wish: sealed(box, wish) });
      const found = await orUnavailable(firstToKnow(cells.others.map(ask)));
      return found && (JSON.parse(box.open(PURPOSE, found.refreshed)) as Refreshed);
    },
    async connections(user) {
      const { answers: connections, away } = await askAll<Connected>('connections', { user });
      return { connections, away };
    },
    async disconnect(asked) {
      const end = async (cell: number) =>
        (await cells.ask<{ ended: boolean }>(cell, 'disconnect', asked)).ended || null;
      return (await orUnavailable(firstToKnow(cells.others.map(end)))) ?? false;
    },
    profiles: async (wish) => (await askAll<PrintedProfile>('profiles', wish)).answers,
  };
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
    answer: ({ db, now }, { user, application, whence }: Disconnection) =>
      db.acrossTenants('a person ends what acts for it at every business', async (tx) => {
        const ended = await disconnect(tx, user, application, now);
        if (ended)
          await noteUserEvent(tx, user, 'application_disconnected', { ...whence, application: ended.name }, now);
        return { ended: ended !== null };
      }),
  },
  {
    name: 'profiles',
    answer: ({ db, registry, installation, now }, wish: ProfilesWish) =>
      db.lookingAcross('a person may have profiles at many businesses', (tx) =>
        profilesHere({ tx, registry }, wish, { now, secrets: installation.box }),
      ),
  },
];
