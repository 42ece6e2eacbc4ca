/** The account of a person, which staff and customer profiles at any business point to. */
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from '../../kernel/db/sql.ts';
import type { Transaction } from '../../kernel/db/database.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 };

const text = (b: Buffer) => b.toString('base64').replace(/=+$/, '');

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await promisify(argon2)('argon2id', { message: password, nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(nonce)}$${text(tag)}`;
}

/** Needs a transaction across tenants: accounts belong to no business. Returns the account's id. */
export async function createUser(tx: Transaction, { email, password }: { email: string; password: string }): Promise<number> {
  const hash = await hashPassword(password);
  const row = await tx.one<{ id: number }>(sql`INSERT INTO user_account (email, password_hash) VALUES (${email}, ${hash}) RETURNING id`);
  return row!.id;
}
