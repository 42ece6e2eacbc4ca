/** One-time fees at the start of a payment plan. Several plans can share one fee. */
import { useState } from 'react';
import { amountOf } from '../../../words/times.ts';
import { Box, Boxes } from '../inputs.tsx';
import { checkedValues } from '../typed.ts';
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { planName } from '../../../memberships/plan-name.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { typedAmount } from '../../../app/amount.ts';
import { None } from '../../../ui/listed.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { PaymentPlan } from './read.ts';

const useFees = () =>
  useCall('GET /joining_fees', { query: { page_size: 200 }, fields: ['id', 'name', 'amount', 'plans'] });

type Fee = NonNullable<ReturnType<typeof useFees>['data']>['results'][number];

const nameOf = ({ name, amount }: Fee): string => name || amountOf(amount);

export function Fees({ plans }: { readonly plans: readonly PaymentPlan[] }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data, error, refetch } = useFees();
  const [doing, setDoing] = useState<'new' | Fee | null>(null);
  if (error && !data) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  const remove = (fee: Fee): void =>
    void propose({
      title: words.say('delete.of', { name: nameOf(fee) }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name: nameOf(fee) }),
      grave: true,
      call: () => clientOf(business).call('DELETE /joining_fees/{id}', { params: { id: fee.id } }),
    });
  return (
    <>
      <h5>{words.say('fees')}</h5>
      {data.results.length === 0 ? <None text={words.say('fees.none')} /> : null}
      <ul className="rows" aria-label={words.say('fees')}>
        {data.results.map((fee) => {
          const here = plans.filter(({ id }) => fee.plans.includes(id));
          const elsewhere = fee.plans.length - here.length;
          return (
            <li key={fee.id}>
              <strong>{amountOf(fee.amount)}</strong>
              <span>{fee.name}</span>
              <span className="soft small">
                {[...here.map(planName), elsewhere > 0 && words.say('fee.elsewhere', { n: elsewhere })]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span className="end row-actions">
                <RowButton text={words.say('edit')} about={nameOf(fee)} onClick={() => setDoing(fee)} />
                <RowButton text={words.say('delete')} about={nameOf(fee)} onClick={() => remove(fee)} />
              </span>
            </li>
          );
        })}
      </ul>
      <div className="actions">
        <button type="button" className="second" onClick={() => setDoing('new')}>
          {words.say('fee.new')}
        </button>
      </div>
      {doing !== null ? (
        <FeeForm fee={doing === 'new' ? undefined : doing} plans={plans} onClose={() => setDoing(null)} />
      ) : null}
    </>
  );
}

interface FeeFormProps {
  /** absent for a new one */
  readonly fee: Fee | undefined;
  /** the payment plans of this membership */
  readonly plans: readonly PaymentPlan[];
  readonly onClose: () => void;
}

function FeeForm({ fee, plans, onClose }: FeeFormProps) {
  const { id: business, currency } = useBusiness();
  const title = fee ? words.say('edit.of', { name: nameOf(fee) }) : words.say('fee.new');
  // Plans of other memberships keep the fee.
  const others = (fee?.plans ?? []).filter((id) => !plans.some((plan) => plan.id === id));
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => {
        const body = {
          amount: typedAmount(typed.amount ?? ''),
          name: typed.name || null,
          plans: [...others, ...checkedValues(typed, 'plans').map(Number)],
        };
        return {
          title,
          confirm: words.say('save'),
          done: words.say('fee.saved'),
          call: () =>
            fee
              ? clientOf(business).call('PATCH /joining_fees/{id}', { params: { id: fee.id }, body })
              : clientOf(business).call('POST /joining_fees', { body }),
        };
      }}
    >
      {(errors) => (
        <>
          <Field label={words.say('price.in', { currency })} errors={errors('amount')}>
            <input name="amount" inputMode="decimal" autoComplete="off" required defaultValue={fee?.amount.string} />
          </Field>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" defaultValue={fee?.name ?? ''} />
          </Field>
          <Boxes legend={words.say('fee.plans')} hint={words.say('fee.plans.hint')} errors={errors('plans')}>
            {plans.map((plan) => (
              <Box
                key={plan.id}
                name={`plans.${plan.id}`}
                label={planName(plan)}
                checked={fee?.plans.includes(plan.id)}
              />
            ))}
          </Boxes>
        </>
      )}
    </ProposalForm>
  );
}
