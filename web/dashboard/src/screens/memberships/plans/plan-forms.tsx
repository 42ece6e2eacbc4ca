/**
 * The form of a payment plan. Once customers use it, only its price, its notice period and whether it is for sale can
 * change.
 */
import { useState } from 'react';
import { Box, Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { numberOrNull, oneOf } from '../typed.ts';
import { planName } from '../../../memberships/plan-name.ts';
import { ProposalForm, type ErrorsOf } from '../../../changes/proposal-form.tsx';
import { typedAmount } from '../../../app/amount.ts';
import { useBusiness } from '../../../app/business.ts';
import { WEEKDAYS, weekdayOf } from '../../../words/weekdays.ts';
import { words } from '../words.ts';
import type { PaymentPlan } from './read.ts';

const UNITS = ['months', 'weeks'] as const;
const SCHEMES = ['continue_by_period', 'renew_contract', 'stop_contract'] as const;

export function PlanForm({ plan, onClose }: { readonly plan: PaymentPlan; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('edit.of', { name: planName(plan) });
  return (
    <ProposalForm
      title={title}
      submit={words.say('save')}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('plan.saved'),
        call: () =>
          clientOf(business).call('PATCH /membership_payment_plans/{id}', {
            params: { id: plan.id },
            body: {
              price: typedAmount(typed.price ?? ''),
              status: typed.for_sale === undefined ? 'unavailable' : 'for_sale',
              cancellation_notice_days: numberOrNull(typed.cancellation_notice_days),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft">{words.say('plan.about')}</p>
          <Price plan={plan} errors={errors} />
          <Notice plan={plan} errors={errors} />
          <Box name="for_sale" label={words.say('flag.for_sale')} checked={plan.status === 'for_sale'} />
        </>
      )}
    </ProposalForm>
  );
}

interface FieldsProps {
  readonly plan?: PaymentPlan;
  readonly errors: ErrorsOf;
}

function Price({ plan, errors }: FieldsProps) {
  const { currency } = useBusiness();
  return (
    <Field label={words.say('price.in', { currency })} errors={errors('price')}>
      <input name="price" inputMode="decimal" autoComplete="off" required defaultValue={plan?.price.string} />
    </Field>
  );
}

const Notice = ({ plan, errors }: FieldsProps) => (
  <Field label={words.say('notice')} hint={words.say('notice.hint')} errors={errors('cancellation_notice_days')}>
    <input name="cancellation_notice_days" type="number" min={0} defaultValue={plan?.cancellation_notice_days ?? ''} />
  </Field>
);

export function NewPlan({ membership, onClose }: { readonly membership: number; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const [unit, setUnit] = useState<(typeof UNITS)[number]>('months');
  return (
    <ProposalForm
      title={words.say('plan.new')}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => {
        const committed = numberOrNull(typed.committed_billing_periods);
        return {
          title: words.say('plan.new'),
          confirm: words.say('save'),
          done: words.say('plan.saved'),
          call: () =>
            clientOf(business).call('POST /membership_payment_plans', {
              body: {
                membership,
                price: typedAmount(typed.price ?? ''),
                billing_period_length: Number(typed.billing_period_length),
                billing_period_unit: unit,
                committed_billing_periods: committed,
                // Without a commitment, there is no period after it.
                ...(committed !== null && {
                  commitment_expiration_scheme: oneOf(SCHEMES, typed.commitment_expiration_scheme),
                }),
                ...(unit === 'months'
                  ? { fixed_billing_day_of_month: numberOrNull(typed.fixed_billing_day_of_month) }
                  : {
                      fixed_billing_day_of_week: typed.fixed_billing_day_of_week
                        ? oneOf(WEEKDAYS, typed.fixed_billing_day_of_week)
                        : null,
                    }),
                cancellation_notice_days: numberOrNull(typed.cancellation_notice_days),
              },
            }),
        };
      }}
    >
      {(errors) => (
        <>
          <Price errors={errors} />
          <Field label={words.say('billed.every')} errors={errors('billing_period_length')}>
            <input name="billing_period_length" type="number" min={1} max={120} required defaultValue={1} />
          </Field>
          <Choice
            name="billing_period_unit"
            label={words.say('billed.unit')}
            choices={UNITS.map((one) => [one, words.say(`unit.${one}`)])}
            onChoose={(value) => setUnit(oneOf(UNITS, value))}
          />
          {unit === 'months' ? (
            <Field
              label={words.say('billed.day_of_month')}
              hint={words.say('billed.day.hint')}
              errors={errors('fixed_billing_day_of_month')}
            >
              <input name="fixed_billing_day_of_month" type="number" min={1} max={31} />
            </Field>
          ) : (
            <Choice
              name="fixed_billing_day_of_week"
              label={words.say('billed.day_of_week')}
              hint={words.say('billed.day.hint')}
              choices={[['', words.say('billed.bought')], ...WEEKDAYS.map((one) => [one, weekdayOf(one)] as const)]}
              errors={errors('fixed_billing_day_of_week')}
            />
          )}
          <Field
            label={words.say('commitment')}
            hint={words.say('commitment.hint')}
            errors={errors('committed_billing_periods')}
          >
            <input name="committed_billing_periods" type="number" min={1} max={1200} />
          </Field>
          <Choice
            name="commitment_expiration_scheme"
            label={words.say('then')}
            choices={SCHEMES.map((one) => [one, words.say(`then.${one}`)])}
            errors={errors('commitment_expiration_scheme')}
          />
          <Notice errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
