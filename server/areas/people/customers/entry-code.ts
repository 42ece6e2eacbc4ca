/**
 * The code on a customer's pass: their number, and a check that nobody can guess, so that a door can trust it. It stays
 * the same for as long as the installation's key does, unless it is replaced: then the old one opens nothing.
 */
import { timingSafeEqual } from 'node:crypto';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const PURPOSE = 'entry code';
/** Without letters that look like others. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 10;
const CODE = new RegExp(`^#?0*([1-9]\\d{0,14})-([${ALPHABET}]{${LENGTH}})$`);

type Reading = Pick<Work, 'tx' | 'providerId'>;

const checkFrom = (print: Buffer): string =>
  [...print.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** `number`: 1 for the first code of a customer, one more for each that replaced another */
const textFor = (providerId: number, customer: number, number: number): string =>
  `${providerId} ${customer}${number === 1 ? '' : ` ${number}`}`;

/** Returns the code with this number of a customer, for example `#217-7KQ2MX9P4T`. */
export const entryCode = (box: SecretBox, providerId: number, customer: number, number: number): string =>
  `#${customer}-${checkFrom(box.fingerprint(PURPOSE, textFor(providerId, customer, number)))}`;

/** Reads the codes of customers, by customer. */
export async function entryCodes(
  { tx, providerId }: Reading,
  box: SecretBox,
  customers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.rows<{ id: number; entry_code_number: number }>(
    sql`SELECT id, entry_code_number FROM customer
      WHERE provider_id = ${providerId} AND id = ANY(${[...customers]}::bigint[])`,
  );
  return new Map(rows.map(({ id, entry_code_number: number }) => [id, entryCode(box, providerId, id, number)]));
}

/** Returns the id of the customer whose code it is; null if it is nobody's. Codes under an earlier key stay valid. */
export async function readEntryCode({ tx, providerId }: Reading, box: SecretBox, code: string): Promise<number | null> {
  const [, text, check] = CODE.exec(code.trim().toUpperCase()) ?? [];
  if (text === undefined) return null;
  const customer = Number(text);
  const row = await tx.one<{ number: number }>(
    sql`SELECT entry_code_number AS number FROM customer WHERE provider_id = ${providerId} AND id = ${customer}`,
  );
  const isGenuine = box
    .fingerprints(PURPOSE, textFor(providerId, customer, row?.number ?? 1))
    .some((print) => timingSafeEqual(Buffer.from(checkFrom(print)), Buffer.from(check)));
  return isGenuine && row ? customer : null;
}
