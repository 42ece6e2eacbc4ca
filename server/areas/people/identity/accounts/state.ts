/**
 * The state of an account, as one cell sends it to another: everything that logging in needs, and since when each part
 * has its present state. Conflicts between two cells are resolved for each part separately, so that a new name in one
 * cell does not undo a new password in another.
 */
import { endTickets, type TicketKind } from '../tokens/tickets.ts';
import { json, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** The columns of each part, if it has columns. */
const COLUMNS = {
  access: ['disabled_at', 'access_ended_at'],
  email: ['email', 'email_key', 'email_confirmed_at'],
  name: ['first_name', 'last_name'],
  password: ['password_hash', 'password_changed_at'],
  second_factor: ['totp_secret', 'totp_confirmed_at', 'totp_last_step'],
} as const;
const ALL = ['id', 'created_at', ...Object.values(COLUMNS).flat()];

/** An end is never undone, whichever cell changed something later. */
const ONLY_GROW: readonly string[] = ['access_ended_at', 'password_changed_at'];

type PartName = keyof typeof COLUMNS | 'passkeys' | 'sessions';

export interface Part {
  readonly part: PartName;
  readonly version: number;
  readonly cell: number;
  readonly ended_at: string | null;
  readonly kept: number | null;
}

/** The state of an account: rows in the form in which the database prints them. */
export interface AccountState {
  readonly account: { readonly id: number; readonly created_at: string; readonly email_key: string } & Record<
    string,
    unknown
  >;
  readonly codes: readonly { readonly code_hash: string; readonly used_at: string | null }[];
  readonly passkeys: readonly Record<string, unknown>[];
  readonly parts: readonly Part[];
}

/** Identifies an account: by its id, the key of its address, or one of its passkeys. */
export type AccountKey = { readonly id: number } | { readonly email: string } | { readonly credential: string };

const isIt = (which: AccountKey): Sql => {
  if ('id' in which) return sql`u.id = ${which.id}`;
  return 'email' in which
    ? sql`u.email_key = ${which.email}`
    : sql`u.id = (SELECT p.user_id FROM passkey p WHERE p.credential_id = ${which.credential})`;
};

/** Selects the parts of account `u`. */
export const partsOf: Sql = sql`
  (SELECT coalesce(json_agg(json_build_object('part', part, 'version', version, 'cell', cell, 'ended_at', ended_at,
    'kept', kept)), '[]'::json)
  FROM account_part a WHERE a.user_id = u.id)`;

/** Reads the state; null if the account is not in this cell. */
export async function readState(tx: Transaction, which: AccountKey): Promise<AccountState | null> {
  const found = await tx.one<AccountState>(
    sql`SELECT (SELECT row_to_json(r) FROM (SELECT ${raw(ALL.map((column) => `u.${column}`).join(', '))}) r) AS account,
          (SELECT coalesce(json_agg(json_build_object('code_hash', encode(c.code_hash, 'hex'), 'used_at', c.used_at)),
            '[]'::json)
           FROM recovery_code c WHERE c.user_id = u.id) AS codes,
          (SELECT coalesce(json_agg(row_to_json(p)), '[]'::json) FROM passkey p WHERE p.user_id = u.id) AS passkeys,
          ${partsOf} AS parts
        FROM user_account u WHERE ${isIt(which)}`,
  );
  return found ?? null;
}

const isLater = (one: Pick<Part, 'version' | 'cell'>, other: Pick<Part, 'version' | 'cell'> | undefined): boolean =>
  other === undefined || one.version > other.version || (one.version === other.version && one.cell > other.cell);

/** Returns the parts that are newer there than here. */
export const laterParts = (there: readonly Part[], here: readonly Part[]): Part[] =>
  there.filter((one) =>
    isLater(
      one,
      here.find(({ part }) => part === one.part),
    ),
  );

/**
 * Reason why an account of another cell can't be applied: this cell has a different account with its address, or its
 * id.
 */
interface Clash {
  readonly over: 'address' | 'id';
  /** the account of this cell */
  readonly userId: number;
  /** of the other cell */
  readonly otherId: number;
}

interface Here {
  readonly same: boolean;
  readonly parts: readonly Part[];
}

/**
 * Applies the parts that are newer there, or the whole account if it does not exist here. Needs a transaction across
 * tenants. Null if the account here is equal or newer.
 */
export async function takeState(tx: Transaction, state: AccountState, now: number): Promise<Clash | null> {
  await tx.run(sql`SELECT set_config('rollcall.copying_account', 'on', true)`);
  try {
    return await take(tx, state, now);
  } finally {
    await tx.run(sql`SELECT set_config('rollcall.copying_account', 'off', true)`);
  }
}

const rowOf = ({ account }: AccountState): Sql =>
  sql`jsonb_populate_record(NULL::user_account, ${json(account)}::jsonb) r`;

async function take(tx: Transaction, state: AccountState, now: number): Promise<Clash | null> {
  const { id, email_key: key } = state.account;
  const columns = raw(ALL.join(', '));
  const added = await tx.run(
    sql`INSERT INTO user_account (${columns}) SELECT ${columns} FROM ${rowOf(state)} ON CONFLICT DO NOTHING`,
  );
  const here = await tx.one<Here>(
    sql`SELECT u.created_at = r.created_at AS same, ${partsOf} AS parts FROM user_account u, ${rowOf(state)}
      WHERE u.id = r.id FOR UPDATE OF u`,
  );
  const other = await tx.one<{ id: number }>(sql`SELECT id FROM user_account WHERE email_key = ${key} AND id <> ${id}`);
  if (here && !here.same) return { over: 'id', userId: id, otherId: id };
  if (!here) return { over: 'address', userId: other!.id, otherId: id };
  const later = laterParts(state.parts, here.parts).filter(({ part }) => part !== 'email' || !other);
  const names = new Set<PartName>(later.map(({ part }) => part));
  if (added > 0) await addCodes(tx, state);
  else await changeParts(tx, state, names);
  if (added > 0 || names.has('passkeys')) await takePasskeys(tx, state);
  await noteUse(tx, state);
  if (added === 0) await endWhatEnded(tx, id, later, now);
  if (later.length > 0)
    await tx.run(
      sql`INSERT INTO account_part (user_id, part, version, cell, ended_at, kept)
          SELECT ${id}, part, version, cell, ended_at, kept
          FROM jsonb_to_recordset(${json(later)}::jsonb) p
            (part text, version bigint, cell smallint, ended_at timestamptz, kept bigint)
          ON CONFLICT (user_id, part) DO UPDATE SET version = excluded.version, cell = excluded.cell,
            ended_at = excluded.ended_at, kept = excluded.kept`,
    );
  return other ? { over: 'address', userId: other.id, otherId: id } : null;
}

async function changeParts(tx: Transaction, state: AccountState, names: ReadonlySet<PartName>): Promise<void> {
  const columns = [...names].flatMap((name) => (name in COLUMNS ? COLUMNS[name as keyof typeof COLUMNS] : []));
  const set = columns.map((c) => (ONLY_GROW.includes(c) ? `${c} = greatest(u.${c}, r.${c})` : `${c} = r.${c}`));
  if (set.length > 0)
    await tx.run(sql`UPDATE user_account u SET ${raw(set.join(', '))} FROM ${rowOf(state)} WHERE u.id = r.id`);
  if (!names.has('second_factor')) return;
  // Codes that remain aren't recreated: one that was used here stays used.
  await tx.run(
    sql`DELETE FROM recovery_code c WHERE c.user_id = ${state.account.id}
      AND NOT EXISTS (SELECT FROM ${codesIn(state)} WHERE decode(x.code_hash, 'hex') = c.code_hash)`,
  );
  await addCodes(tx, state);
}

const codesIn = ({ codes }: AccountState): Sql =>
  sql`jsonb_to_recordset(${json(codes)}::jsonb) x (code_hash text, used_at timestamptz)`;

const addCodes = (tx: Transaction, state: AccountState): Promise<number> =>
  tx.run(
    sql`INSERT INTO recovery_code (user_id, code_hash, used_at)
      SELECT ${state.account.id}::bigint, decode(x.code_hash, 'hex'), x.used_at FROM ${codesIn(state)} ON CONFLICT
      DO NOTHING`,
  );

/** A passkey is identified by the id that its device chose; our own id is valid in this cell only. */
async function takePasskeys(tx: Transaction, { account: { id }, passkeys }: AccountState): Promise<void> {
  const given = sql`jsonb_populate_recordset(NULL::passkey, ${json(passkeys)}::jsonb) x`;
  await tx.run(
    sql`DELETE FROM passkey p WHERE p.user_id = ${id}
      AND NOT EXISTS (SELECT FROM ${given} WHERE x.credential_id = p.credential_id)`,
  );
  await tx.run(
    sql`INSERT INTO passkey (user_id, rp_id, credential_id, public_key, counter, name, created_at, used_at)
        SELECT ${id}::bigint, x.rp_id, x.credential_id, x.public_key, x.counter, x.name, x.created_at, x.used_at
        FROM ${given} ORDER BY x.id
        ON CONFLICT (credential_id) DO UPDATE SET name = excluded.name WHERE passkey.user_id = excluded.user_id`,
  );
}

/** Records uses: a code, an authenticator step or a passkey counter that was used in one cell is used in all. */
async function noteUse(tx: Transaction, state: AccountState): Promise<void> {
  const { id } = state.account;
  await tx.run(
    sql`UPDATE user_account u SET totp_last_step = r.totp_last_step FROM ${rowOf(state)}
        WHERE u.id = r.id AND u.totp_secret = r.totp_secret AND r.totp_last_step > coalesce(u.totp_last_step, 0)`,
  );
  await tx.run(
    sql`UPDATE recovery_code c SET used_at = x.used_at FROM ${codesIn(state)}
        WHERE c.user_id = ${id} AND c.code_hash = decode(x.code_hash, 'hex') AND c.used_at IS NULL
          AND x.used_at IS NOT NULL`,
  );
  await tx.run(
    sql`UPDATE passkey p SET counter = greatest(p.counter, x.counter), used_at = greatest(p.used_at, x.used_at)
        FROM jsonb_populate_recordset(NULL::passkey, ${json(state.passkeys)}::jsonb) x
        WHERE p.user_id = ${id} AND p.credential_id = x.credential_id
          AND (p.counter < x.counter OR p.used_at IS DISTINCT FROM greatest(p.used_at, x.used_at))`,
  );
}

const ENDED: { readonly [Name in PartName]?: readonly TicketKind[] } = {
  access: ['log_in_link', 'pending_log_in', 'verification_code', 'confirm_email', 'reset_password', 'change_email'],
  email: ['confirm_email', 'reset_password', 'log_in_link', 'change_email'],
  password: ['reset_password', 'log_in_link', 'pending_log_in', 'change_email', 'verification_code'],
};

/** Ends access here in the same way as in the cell that made the change. */
async function endWhatEnded(tx: Transaction, id: number, later: readonly Part[], now: number): Promise<void> {
  const kinds = later.flatMap(({ part }) => ENDED[part] ?? []);
  if (kinds.length > 0) await endTickets(tx, id, [...new Set(kinds)], now);
  if (later.length === 0) return;
  // The session in which the password was changed proved its person at that very moment, and continues.
  await tx.run(
    sql`DELETE FROM user_session s USING user_account u WHERE u.id = ${id} AND s.user_id = u.id
        AND (u.disabled_at IS NOT NULL OR s.authenticated_at < greatest(u.password_changed_at, u.access_ended_at))`,
  );
  // A passkey is a second factor on its own.
  if (later.some(({ part }) => part === 'second_factor'))
    await tx.run(
      sql`UPDATE user_session s SET second_factor = false FROM user_account u
        WHERE u.id = ${id} AND s.user_id = u.id AND s.second_factor
          AND u.totp_confirmed_at IS NULL AND NOT EXISTS (SELECT FROM passkey p WHERE p.user_id = u.id)`,
    );
  for (const { ended_at: at, kept } of later.filter(({ part }) => part === 'sessions'))
    await tx.run(
      sql`DELETE FROM user_session WHERE user_id = ${id} AND created_at <= ${at}::timestamptz AND id <> ${kept ?? 0}`,
    );
}
