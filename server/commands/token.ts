import { createMachineToken, machineTokenFeed, revokeMachineToken } from '../areas/people/identity/index.ts';
import { recordItem } from '../kernel/work/unit/work.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { formatWall, isZone, parseDate, startOfDay } from '../kernel/base/values/zone.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, requiredOption, say, textOption, UsageError, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { requireProvider } from './provider.ts';
import { table } from './table.ts';

/** Returns the moment at which a token that is valid until the day `expires` ends. */
export function parseExpiry(expires: string | undefined, zone: string): number | null {
  if (expires === undefined) return null;
  if (!parseDate(expires)) throw new UsageError(`--expires must be a date, for example 2027-01-01, not "${expires}".`);
  const end = startOfDay(expires, zone);
  if (end <= commandTime())
    throw new CommandFailure(`--expires ${expires} is in the past. Remedy: choose a day in the future.`);
  return end;
}

export const createToken: Command = {
  name: 'token create',
  summary: 'Create a machine token and print it, only this once',
  details:
    'The token gives access to everything of its business. Only a hash of it is stored, so save it when it is shown.',
  options: {
    provider: { type: 'string', value: 'ID', description: 'the business it is for' },
    name: { type: 'string', value: 'NAME', description: 'who will use it' },
    expires: {
      type: 'string',
      value: 'DATE',
      description: 'first day on which it no longer works, for example 2027-01-01, in the time zone of the business',
    },
  },
  async run(given) {
    const providerId = wholeId(requiredOption(given, 'provider'), '--provider');
    const name = requiredOption(given, 'name');
    const expires = textOption(given, 'expires');
    const { token } = await withDatabase(async (db) => {
      const { timezone } = await requireProvider(db, providerId);
      const expiresAt = parseExpiry(expires, isZone(timezone) ? timezone : 'UTC');
      return db.transaction(providerId, async (tx) => {
        const made = await createMachineToken(tx, providerId, { name, expiresAt });
        await tx.run(
          recordItem(providerId, commandTime(), machineTokenFeed.created, made.id, { machine_token: made.id }),
        );
        return made;
      });
    });
    say(token);
    return 0;
  },
};

interface TokenRow {
  provider_id: number;
  id: number;
  name: string;
  token_hint: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const at = (ms: number | null): string => (ms === null ? '-' : formatWall(ms, 'UTC').replace('T', ' ').slice(0, 16));

export type Lifetime = Pick<TokenRow, 'created_at' | 'expires_at' | 'revoked_at' | 'last_used_at'>;

/** The columns of a list with the state of a token: valid or not, and since when; times are in UTC. */
export const LIFETIME = ['state', 'made', 'expires', 'last used'];
export const lifetime = (row: Lifetime, now: number): string[] => [
  row.revoked_at !== null ? 'revoked' : row.expires_at !== null && row.expires_at <= now ? 'expired' : 'works',
  at(row.created_at),
  at(row.expires_at),
  at(row.last_used_at),
];

export const listTokens: Command = {
  name: 'token list',
  summary: 'List machine tokens, without their secrets; times are in UTC',
  async run() {
    const rows = await withDatabase((db) =>
      db.acrossTenants('an operator lists the machine tokens', (tx) =>
        tx.rows<TokenRow>(
          sql`SELECT provider_id, id, name, token_hint, created_at, expires_at, revoked_at, last_used_at
            FROM machine_token ORDER BY id`,
        ),
      ),
    );
    const now = commandTime();
    say(
      table(
        ['id', 'provider', 'name', 'begins with', ...LIFETIME],
        rows.map((r) => [String(r.id), String(r.provider_id), r.name, r.token_hint, ...lifetime(r, now)]),
      ),
    );
    return 0;
  },
};

export const revokeToken: Command = {
  name: 'token revoke',
  summary: 'Revoke a machine token',
  positionals: ['ID'],
  async run({ positionals }) {
    const id = wholeId(positionals[0], 'ID');
    await withDatabase((db) =>
      db.acrossTenants('an operator ends a machine token of any business', async (tx) => {
        const row = await tx.one<{ provider_id: number }>(sql`SELECT provider_id FROM machine_token WHERE id = ${id}`);
        if (!row) throw new CommandFailure(`There is no token ${id}. Remedy: see "rollcall token list".`);
        if (!(await revokeMachineToken(tx, row.provider_id, id)))
          throw new CommandFailure(`Token ${id} is already revoked.`);
        await tx.run(recordItem(row.provider_id, commandTime(), machineTokenFeed.revoked, id, { machine_token: id }));
      }),
    );
    say(`Token ${id} no longer works.`);
    return 0;
  },
};
