/**
 * The token with which the dashboard calls the interface, issued to its own pages for the browser's session. It lasts
 * for minutes, is stored nowhere, and ends with the session. A script of another site can't get it, because browsers
 * report the origin of a request; and without the token, the cookie gives no access to the interface.
 */
import { findSessionById, sessionByIdElsewhere, type AmongCells } from '../../people/identity/index.ts';
import { grantOf, type Authenticator } from '../../../kernel/work/access/grant.ts';
import { NotOpened, type SecretBox } from '../../../kernel/base/secret-box.ts';
import { profilesOf } from '../../people/applications/index.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { OtherCells } from '../../../kernel/work/unit/other-cells.ts';

const PREFIX = 'rcb_';
const PURPOSE = 'token of the dashboard';
const LONGEST = 300;
export const TOKEN_SECONDS = 600;

interface Claims {
  readonly session: number;
  /** cell of the session, if the installation has several */
  readonly cell?: number;
  /** in epoch milliseconds */
  readonly until: number;
}

/** Returns a token for the session, valid for `TOKEN_SECONDS`. */
export function tokenFor(box: SecretBox, { id, cell }: { id: number; cell?: number | undefined }, now: number): string {
  const claims: Claims = { session: id, cell, until: now + TOKEN_SECONDS * 1000 };
  return PREFIX + box.seal(PURPOSE, JSON.stringify(claims));
}

function claimsIn(box: SecretBox, token: string): Claims | null {
  if (!token.startsWith(PREFIX) || token.length > LONGEST) return null;
  try {
    return JSON.parse(box.open(PURPOSE, token.slice(PREFIX.length))) as Claims;
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}

export interface SessionTokenOptions {
  readonly db: Database;
  readonly installation: { readonly box: SecretBox; readonly cells: OtherCells | null };
  readonly now: () => number;
}

/**
 * Returns the authenticator of dashboard tokens, which give access to the businesses of this cell at which the person
 * works.
 */
export const sessionTokens =
  ({ db, installation, now }: SessionTokenOptions): Authenticator =>
  async (token) => {
    const { box, cells } = installation;
    const claims = claimsIn(box, token);
    if (!claims || claims.until <= now()) return null;
    const elsewhere = await sessionAt({ db, now, cells }, claims);
    if (elsewhere === null) return null;
    return db.lookingAcross('a session belongs to a person, not to a business', async (tx) => {
      const session = elsewhere ?? (await findSessionById(tx, claims.session, now()));
      if (!session) return null;
      const { userId, secondFactor } = session;
      const { profiles, businesses } = await profilesOf(
        tx,
        { user_id: userId, second_factor: secondFactor },
        null,
        'provider',
      );
      const name = `session:${session.id}`;
      return {
        grant: grantOf({
          credential: name,
          kind: 'person',
          profiles,
          userId,
          seen: { secondFactor, mode: 'provider' },
        }),
        subjects: [`user:${userId}`, name, ...businesses.map((id) => `provider:${id}`)],
        until: claims.until,
        // This cell is not notified when the session ends, so it checks at every request.
        once: elsewhere !== undefined,
      };
    });
  };

/** Returns undefined if the session belongs to this cell. */
const sessionAt = async (door: AmongCells, { session, cell }: Claims) =>
  door.cells === null || cell === undefined || cell === door.cells.own
    ? undefined
    : sessionByIdElsewhere(door, cell, session);
