/** The history of the customer's account credit, and transferring some to another family member. */
import { amountOf, momentOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { nameOf } from '../../../app/customers.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { typedAmount } from '../../../app/amount.ts';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Credit({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /credit_movements', {
    query: { customer: [person.id], page_size: 20 },
    fields: ['id', 'amount', 'explanation', 'posted_at'],
  });
  return (
    <Listed list={list} none={words.say('movements.none')} next={[]}>
      {(all) => (
        <ul className="rows" aria-label={words.say('movements')}>
          {all.map(({ id, amount, explanation, posted_at }) => (
            <li key={id}>
              <span>{momentOf(posted_at, timezone)}</span>
              <span>{explanation}</span>
              <span className="end">
                {amount.decimal > 0 ? '+' : ''}
                {amountOf(amount)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}

interface MoveCreditProps extends TabProps {
  readonly family: number;
  readonly onClose: () => void;
}

export function MoveCredit({ person, family, onClose }: MoveCreditProps) {
  const { id: business, currency } = useBusiness();
  const members = useCall('GET /customers', {
    query: { family, sort: ['id'], page_size: 100 },
    fields: ['id', 'first_name', 'last_name'],
  });
  const others = (members.data?.results ?? []).filter(({ id }) => id !== person.id);
  return (
    <ProposalForm
      title={words.say('account.move')}
      onClose={onClose}
      proposal={({ to, amount = '', explanation }) => ({
        title: words.say('account.move'),
        done: words.say('account.move.done'),
        call: () =>
          clientOf(business).call('POST /customers/{id}/move_credit', {
            params: { id: person.id },
            body: { to: Number(to), amount: typedAmount(amount), ...(explanation && { explanation }) },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('move.to')} errors={errors('to')}>
            <select name="to" autoFocus>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {nameOf(one)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.say('field.amount', { currency })} errors={errors('amount')}>
            <input name="amount" inputMode="decimal" autoComplete="off" />
          </Field>
          <Field
            label={words.say('field.explanation')}
            hint={words.say('field.explanation.hint')}
            errors={errors('explanation')}
          >
            <input name="explanation" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
