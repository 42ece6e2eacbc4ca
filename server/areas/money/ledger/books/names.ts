/** What the accounts of the ledger are called: by people, and in the books of the business's accountant. */
import { Port } from '../../../../kernel/base/fields/port.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Account } from '../accounts.ts';
import type { Reading } from '../checks.ts';

/** What the details of an account are the ids of, with their names. */
export interface DetailNames {
  readonly name: Account;
  /** a full sentence: what the details are */
  readonly description: string;
  readonly resource: string;
  /** by detail */
  names(work: Reading): Promise<ReadonlyMap<string, string>>;
}

export const detailNames = new Port<DetailNames>('naming of account details', ({ resource }) => resource);

interface Rate {
  readonly id: number;
  readonly name: string;
  /** `20%`, or null for an amount */
  readonly rate: string | null;
}

/** The fees and taxes of the business, also those that are archived. */
export const ratesOf = ({ tx, providerId }: Reading): Promise<Rate[]> =>
  tx.rows<Rate>(sql`SELECT id, name, CASE type WHEN 'percent' THEN trim_scale(percentage) || '%' END AS rate
    FROM purchase_fee WHERE provider_id = ${providerId} ORDER BY id`);

export interface Names {
  /** the name of what the detail is the id of; null: the detail speaks for itself */
  name(account: string, detail: string | null): string | null;
  /** the business's own number for the account; null: it has none */
  code(account: string, detail: string | null): string | null;
}

/** All of them: a business has few. */
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
