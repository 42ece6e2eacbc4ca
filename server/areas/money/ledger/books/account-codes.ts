/** Account numbers of the business's accountant, which are included in exports. */
import { ACCOUNTS, DETAILED_ACCOUNTS } from '../accounts.ts';
import { action, answer, read, staffWith } from '../../../../kernel/api/endpoint.ts';
import { codesOf, type Code } from './names.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { listOf, object, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { lockBusiness, providerFeed } from '../../../platform/providers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

const path = '/ledger/account_codes';

const account = () => oneOf(ACCOUNTS).describe('An account of the ledger.');
const detail = () =>
  text({ max: 60 })
    .nullable()
    .describe('Which one of several accounts of this name. Null for all that have no code of their own.');
const code = () =>
  text({
    max: 40,
    pattern: /^[A-Za-z0-9][A-Za-z0-9 ._/-]*$/,
    hint: 'Must begin with a letter or digit, and contain only letters, digits, blanks and . _ / -',
  });

const shape = {
  codes: listOf(object({ account: account(), detail: detail(), code: code() })),
};

const keyOf = ({ account: name, detail: which }: { account: string; detail?: string | null }): string =>
  `${name} ${which ?? ''}`;

/** Returns the codes by account, for the audit entry, which shows the changed ones. */
const byAccount = (codes: readonly Code[]): Record<string, string> =>
  Object.fromEntries(codes.map((one) => [keyOf(one).trim(), one.code]));

export const accountCodes = [
  read({
    path,
    summary: 'List account codes',
    description: 'The numbers that accounts of the ledger have in the books of your accountant. Exports contain them.',
    who: staffWith('super_admin', 'revenue'),
    returns: answer(shape),
    run: async ({ work }) => ({ codes: await codesOf(work) }),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Set account codes',
    description: 'Sets the codes of these accounts, and leaves all others unchanged. Exports of any period use them.',
    who: staffWith('super_admin', 'revenue'),
    body: {
      codes: listOf(
        object({
          account: account(),
          detail: detail().optional(),
          code: code().nullable().describe('Null removes the code.'),
        }),
      ),
    },
    returns: answer(shape),
    run: async ({ work, body: { codes } }) => {
      const seen = new Set<string>();
      codes.forEach((one, n) => {
        if ((one.detail ?? null) !== null && !DETAILED_ACCOUNTS.some((name) => name === one.account))
          throw invalid(`codes.${n}.detail`, `The business has one account \`${one.account}\`. Leave this out.`);
        if (seen.has(keyOf(one))) throw invalid(`codes.${n}`, 'This account is listed twice.');
        seen.add(keyOf(one));
      });
      await lockBusiness(work);
      const before = await codesOf(work);
      const columns = [codes.map((one) => one.account), codes.map((one) => one.detail ?? '')] as const;
      await work.tx.all([
        sql`DELETE FROM ledger_account_code c
          USING unnest(${columns[0]}::text[], ${columns[1]}::text[]) AS w (account, detail)
          WHERE c.provider_id = ${work.providerId} AND c.account = w.account AND c.detail = w.detail`,
        sql`INSERT INTO ledger_account_code (provider_id, account, detail, code)
          SELECT ${work.providerId}, account, detail, code
          FROM unnest(${columns[0]}::text[], ${columns[1]}::text[], ${codes.map((one) => one.code)}::text[]) AS w
            (account, detail, code)
          WHERE code IS NOT NULL`,
      ]);
      const after = await codesOf(work);
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        work.audit({
          action: `PATCH ${path}`,
          object: 'provider',
          objectId: work.providerId,
          before: byAccount(before),
          after: byAccount(after),
        });
        work.record(providerFeed.updated, work.providerId, {
          provider: work.providerId,
          changed: ['ledger_account_codes'],
        });
      }
      return { codes: after };
    },
  }),
];
