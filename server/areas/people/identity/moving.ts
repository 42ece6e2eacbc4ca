/** Accounts of the people of a business that moves: as much of them as logging in needs, and nothing of other businesses. */
import { emailKey } from './rules/email-key.ts';
import { purposeOfTotp } from './second-factor.ts';
import type { Accounts, ArchivedAccount } from '../../../kernel/archive/accounts.ts';

/** Each as the database prints it. Where it logs in, and what happened to it, is of the installation. */
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

const KEPT = COLUMNS.filter((column) => column !== 'id');

interface Secrets {
  readonly password_hash: string | null;
  readonly totp_secret: string | null;
  /** hashes, hexadecimal */
  readonly recovery_codes: readonly string[];
}

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

  async take(client, account, box) {
    const secrets = JSON.parse(account.secrets) as Secrets;
    const key = emailKey(String(account.email));
    const known = await client.query<{ id: string }>('SELECT id FROM user_account WHERE email_key = $1', [key]);
    if (known.rows[0]) return Number(known.rows[0].id);
    const taken = await client.query('SELECT FROM user_account WHERE id = $1', [account.id]);
    const {
      rows: [{ id }],
    } = await client.query<{ id: string }>(
      `INSERT INTO user_account (id, email_key, password_hash, ${KEPT.join(', ')})
       SELECT CASE WHEN $2 THEN nextval('user_account_id_seq') ELSE r.id END, $3, $4, ${KEPT.filter(
         (column) => column !== 'totp_confirmed_at',
       )
         .map((column) => `r.${column}`)
         .join(', ')}, NULL
       FROM json_populate_record(NULL::user_account, $1::json) r RETURNING id`,
      [JSON.stringify(account), taken.rowCount! > 0, key, secrets.password_hash],
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
};
