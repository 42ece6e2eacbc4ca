/** Accounts of the people of a business that moves: only what logging in needs, and nothing of other businesses. */
import { emailKey } from '../rules/email-key.ts';
import { canonicalAddress } from '../../../../kernel/base/values/mail-address.ts';
import { cleanName } from '../../../../kernel/base/values/person-name.ts';
import { isMailAddress } from '../../../../kernel/base/mail/address.ts';
import { purposeOfTotp, RECOVERY_CODES } from '../log-in/second-factor.ts';
import { ACCOUNTS } from '../../../../kernel/base/archive/manifest.ts';
import { ArchiveDamaged } from '../../../../kernel/base/archive/tar.ts';
import { hasUsualCost } from '../../../../kernel/base/passwords/index.ts';
import type { Accounts, ArchivedAccount } from '../../../../kernel/base/archive/accounts.ts';

/** Each in the form in which the database prints it. Log-ins and history belong to the installation. */
const COLUMNS = [
  'created_at',
  'disabled_at',
  'email',
  'email_confirmed_at',
  'first_name',
  'id',
  'last_name',
  'password_changed_at',
  'totp_confirmed_at',
] as const;

interface Secrets {
  readonly password_hash: string | null;
  readonly totp_secret: string | null;
  /** hashes, hexadecimal */
  readonly recovery_codes: readonly string[];
}

const KEPT_COLUMNS = COLUMNS.filter((column) => column !== 'id');

/** A hash with different cost parameters would take as much time and memory for each log-in as the file demands. */
const isHash = (text: unknown): text is string => typeof text === 'string' && hasUsualCost(text);
const isTotpSecret = (text: unknown): text is string => typeof text === 'string' && /^[A-Z2-7]{16,64}$/.test(text);
const isCodeHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const acceptable = ({ password_hash: hash, totp_secret: totp, recovery_codes: codes }: Secrets): Secrets => ({
  password_hash: isHash(hash) ? hash : null,
  totp_secret: isTotpSecret(totp) ? totp : null,
  recovery_codes: [...new Set((Array.isArray(codes) ? codes : []).filter(isCodeHash))].slice(0, RECOVERY_CODES),
});

export const movingAccounts: Accounts = {
  table: 'user_account',
  columns: COLUMNS,

  async read(client, ids, box) {
    const { rows } = await client.query<{ line: Record<string, any>; secrets: Secrets }>(
      `SELECT row_to_json(r) AS line, json_build_object(
         'password_hash', u.password_hash, 'totp_secret', u.totp_secret,
         'recovery_codes', (SELECT coalesce(json_agg(encode(c.code_hash, 'hex') ORDER BY c.code_hash), '[]'::json)
                            FROM recovery_code c WHERE c.user_id = u.id AND c.used_at IS NULL)) AS secrets
       FROM user_account u CROSS JOIN LATERAL (SELECT ${COLUMNS.map((c) => `u.${c}`).join(', ')}) r
       WHERE u.id = ANY ($1::bigint[]) ORDER BY u.id`,
      [ids],
    );
    return rows.map(({ line, secrets }) => {
      const { totp_secret: totp } = secrets;
      const opened = { ...secrets, totp_secret: totp === null ? null : box.open(purposeOfTotp(line.id), totp) };
      return { ...line, secrets: JSON.stringify(opened) } as unknown as ArchivedAccount;
    });
  },

  check(account) {
    const { created_at: created, email } = account;
    if (typeof email !== 'string' || !isMailAddress(canonicalAddress(email)))
      throw new ArchiveDamaged(`${ACCOUNTS} has a row whose email is no address`);
    if (Number.isNaN(Date.parse(String(created))))
      throw new ArchiveDamaged(`${ACCOUNTS} has a row whose created_at is no time`);
  },

  async take(client, account, box) {
    const secrets = JSON.parse(account.secrets) as Secrets;
    const key = emailKey(String(account.email));
    const known = await client.query<{ id: string }>('SELECT id FROM user_account WHERE email_key = $1', [key]);
    if (known.rows[0]) return Number(known.rows[0].id);
    const taken = await client.query('SELECT FROM user_account WHERE id = $1', [account.id]);
    const kept = ['email_key', 'password_hash', ...KEPT_COLUMNS.filter((column) => column !== 'totp_confirmed_at')];
    // Without its id, the account gets the next one.
    const columns = taken.rowCount! > 0 ? kept : ['id', ...kept];
    const row = { ...account, email_key: key, password_hash: secrets.password_hash };
    const {
      rows: [{ id }],
    } = await client.query<{ id: string }>(
      `INSERT INTO user_account (${columns.join(', ')}) SELECT ${columns.map((column) => `r.${column}`).join(', ')}
       FROM json_populate_record(NULL::user_account, $1::json) r RETURNING id`,
      [JSON.stringify(row)],
    );
    if (secrets.totp_secret !== null)
      await client.query('UPDATE user_account SET totp_secret = $2, totp_confirmed_at = $3 WHERE id = $1', [
        id,
        box.seal(purposeOfTotp(Number(id)), secrets.totp_secret),
        account.totp_confirmed_at,
      ]);
    await client.query(
      `INSERT INTO recovery_code (user_id, code_hash) SELECT $1, decode(code, 'hex') FROM unnest($2::text[]) code`,
      [id, secrets.recovery_codes],
    );
    return Number(id);
  },

  async bring(client, account, box, { resets, now }) {
    const email = canonicalAddress(String(account.email));
    const found = await client.query<{ id: string }>('SELECT id FROM user_account WHERE email_key = $1', [
      emailKey(email),
    ]);
    if (found.rows[0]) return { id: Number(found.rows[0].id), known: true };
    const secrets = acceptable(JSON.parse(account.secrets) as Secrets);
    if (account.email_confirmed_at !== null) resets.add('new account whose email address has to be confirmed again');
    if (account.disabled_at !== null) resets.add('account that was disabled: it can log in');
    if (secrets.password_hash === null) resets.add('account without a password: the person sets one by email');
    const names = {
      first_name: cleanName(String(account.first_name), 128),
      last_name: cleanName(String(account.last_name), 128),
    };
    if (names.first_name !== account.first_name || names.last_name !== account.last_name)
      resets.add('new account whose name held an address or invisible characters, and was cleaned');
    const created = String(account.created_at);
    const id = await movingAccounts.take(
      client,
      {
        ...account,
        ...names,
        email,
        email_confirmed_at: null,
        disabled_at: null,
        password_changed_at: null,
        created_at: Date.parse(created) > now ? new Date(now).toISOString() : created,
        totp_confirmed_at:
          account.totp_confirmed_at === null || secrets.totp_secret === null ? null : new Date(now).toISOString(),
        secrets: JSON.stringify(secrets),
      },
      box,
    );
    return { id, known: false };
  },
};
