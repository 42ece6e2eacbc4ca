/** Names of the ledger's accounts: readable ones, and the numbers in the books of the business's accountant. */
import { Port } from '../../../../kernel/base/fields/port.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Account } from '../accounts.ts';
import type { Reading } from '../checks.ts';

/** The resource whose ids are the details of an account, with their names. */
export interface DetailNames {
  readonly name: Account;
  /** full sentence that says what the details are */
  readonly description: string;
  readonly resource: string;
  /** Returns the names, by detail. */
  names(work: Reading): Promise<ReadonlyMap<string, string>>;
}

export const detailNames = new Port<DetailNames>('naming of account details', ({ resource }) => resource);

interface Rate {
  readonly id: number;
  readonly name: string;
  /** `20%`, or null for a flat amount */
  readonly rate: string | null;
}

/** Returns the fees and taxes of the business, including archived ones. */
export const ratesOf = ({ tx, providerId }: Reading): Promise<Rate[]> =>
  tx.rows<Rate>(sql`SELECT id, name, CASE type WHEN 'percent' THEN trim_scale(percentage) || '%' END AS rate
    FROM purchase_fee WHERE provider_id = ${providerId} ORDER BY id`);

export interface Names {
  /** name of the object whose id is the detail; null if the detail needs no name */
  name(account: string, detail: string | null): string | null;
  /** business's own number for the account; null if it has none */
  code(account: string, detail: string | null): string | null;
}

/** Reads all names: a business has few. */
export async function namesOf(work: Reading): Promise<Names> {
  const fees = new Map(
    (await ratesOf(work)).map(({ id, name, rate }) => [String(id), rate ? `${name} ${rate}` : name]),
  );
  const names = new Map<string, ReadonlyMap<string, string>>([
    ['fee', fees],
    ['tax', fees],
  ]);
  for (const { name, names: read } of detailNames.items) names.set(name, await read(work));
  const codes = new Map((await codesOf(work)).map(({ account, detail, code }) => [`${account} ${detail ?? ''}`, code]));
  return {
    name: (account, detail) => (detail === null ? null : (names.get(account)?.get(detail) ?? null)),
    code: (account, detail) => codes.get(`${account} ${detail ?? ''}`) ?? codes.get(`${account} `) ?? null,
  };
}

export interface Code {
  readonly account: string;
  readonly detail: string | null;
  readonly code: string;
}

export const codesOf = ({ tx, providerId }: Pick<Reading, 'tx' | 'providerId'>): Promise<Code[]> =>
  tx.rows<Code>(sql`SELECT account, nullif(detail, '') AS detail, code FROM ledger_account_code
    WHERE provider_id = ${providerId} ORDER BY account, ledger_account_code.detail`);
