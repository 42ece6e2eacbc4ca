/** The account numbers of the business's accountant. Exports contain them. */
import { useState } from 'react';
import { ACCOUNTS, detailOf, type AccountName } from './accounts.ts';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { ProposalFields, type Typed } from '../../changes/proposal-form.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

interface Account {
  readonly account: AccountName;
  /** null: all details of the account that have no code of their own */
  readonly detail: string | null;
  readonly said: string;
}

const fieldOf = ({ account, detail }: Omit<Account, 'said'>): string => `${account} ${detail ?? ''}`;

export function AccountCodes({ from, to }: { readonly from: string; readonly to: string }) {
  const known = useCall('GET /ledger/account_codes', {});
  const used = useCall('GET /ledger/trial_balance', { query: { from, to } });
  const error = known.error ?? used.error;
  if (error)
    return (
      <Failed
        error={error}
        again={() => {
          void known.refetch();
          void used.refetch();
        }}
      />
    );
  if (!known.data || !used.data) return <Loading />;
  // Subdivided accounts that have postings in the period, or a code.
  const divided = new Map(
    [...known.data.codes.map((one) => ({ ...one, name: null })), ...used.data.accounts]
      .filter(({ detail }) => detail !== null)
      .map((one) => [fieldOf(one), { ...one, said: detailOf(one.account, one.detail, one.name) }]),
  );
  const all: Account[] = ACCOUNTS.flatMap((account) => [
    { account, detail: null, said: words.say(`account.${account}`) },
    ...[...divided.values()].filter((one) => one.account === account),
  ]);
  const codes = Object.fromEntries(known.data.codes.map((one) => [fieldOf(one), one.code]));
  return <Codes all={all} codes={codes} />;
}

interface CodesProps {
  readonly all: readonly Account[];
  /** by field name */
  readonly codes: Typed;
}

function Codes({ all, codes }: CodesProps) {
  const { id: business } = useBusiness();
  const [n, setN] = useState(0);
  const changed = (typed: Typed) =>
    all.flatMap((one) => {
      const code = typed[fieldOf(one)] ?? '';
      return code === (codes[fieldOf(one)] ?? '')
        ? []
        : [{ account: one.account, detail: one.detail, code: code || null }];
    });
  return (
    <ProposalFields
      key={n}
      submit={ui.say('save')}
      onMade={() => setN((before) => before + 1)}
      proposal={(typed) => ({
        title: words.say('codes.save'),
        confirm: ui.say('save'),
        done: words.say('codes.saved'),
        call: () => clientOf(business).call('PATCH /ledger/account_codes', { body: { codes: changed(typed) } }),
      })}
    >
      {() => (
        <>
          <p className="soft">{words.say('codes.about')}</p>
          <div className="wide-table" role="region" aria-label={words.say('list.codes')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.say('account')}</th>
                  <th scope="col">{words.say('code')}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((one) => (
                  <tr key={fieldOf(one)}>
                    <th scope="row" className={one.detail === null ? undefined : 'code-within'}>
                      {one.said}
                    </th>
                    <td>
                      <input
                        name={fieldOf(one)}
                        aria-label={words.say('code.of', { account: one.said })}
                        autoComplete="off"
                        defaultValue={codes[fieldOf(one)] ?? ''}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </ProposalFields>
  );
}
