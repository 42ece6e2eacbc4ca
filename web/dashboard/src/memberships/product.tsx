/** Fields to choose a product: a membership, its payment plan if it is recurring, and the price. */
import { useEffect, useState } from 'react';
import { amountOf } from '../words/times.ts';
import { Field } from '../ui/field.tsx';
import { may, useBusiness } from '../app/business.ts';
import { planName } from './plan-name.ts';
import { typedAmount } from '../app/amount.ts';
import { useCall } from '../app/calls.ts';
import { words } from './words.ts';
import type { ErrorsOf, Typed } from '../changes/proposal-form.tsx';

/** Higher than the number that any business sells. */
const MAX_ROWS = 200;

/** Converts the values of `ProductFields`. The price is left out if it is the usual one. */
export const productOf = ({ membership, plan, price }: Typed) => ({
  membership: Number(membership),
  ...(plan && { plan: Number(plan) }),
  ...(price && { price: typedAmount(price) }),
});

export interface ProductFieldsProps {
  readonly errors: ErrorsOf;
  /** id of the only membership on offer */
  readonly only?: number;
  readonly onRecurring?: (isRecurring: boolean) => void;
}

export function ProductFields({ errors, only, onRecurring }: ProductFieldsProps) {
  const business = useBusiness();
  const [chosen, setChosen] = useState<number | null>(only ?? null);
  const { data } = useCall('GET /memberships', {
    query: { archived: false, for_sale: true, is_draft: false, ...(only && { ids: [only] }), page_size: MAX_ROWS },
    fields: ['id', 'name', 'type', 'display_price'],
  });
  const all = data?.results ?? [];
  const isRecurring = all.find(({ id }) => id === chosen)?.type === 'recurring_plan';
  useEffect(() => onRecurring?.(isRecurring), [isRecurring, onRecurring]);
  // Only super admins can read payment plans. Others can sell a membership with a single plan; if there are several, a
  // message tells them to ask.
  const plans = useCall(
    'GET /membership_payment_plans',
    {
      query: { membership: chosen ?? 0, status: 'for_sale', page_size: MAX_ROWS },
      fields: ['id', 'price', 'billing_period_length', 'billing_period_unit'],
    },
    { enabled: may(business, 'super_admin') && isRecurring },
  );
  return (
    <>
      <Field label={words.say('product')} errors={errors('membership')}>
        <select
          name="membership"
          required
          value={chosen ?? ''}
          onChange={({ target }) => setChosen(Number(target.value) || null)}
        >
          {only === undefined ? <option value="">{words.say('product.choose')}</option> : null}
          {all.map(({ id, name, display_price }) => (
            <option key={id} value={id}>
              {display_price ? `${name} · ${amountOf(display_price)}` : name}
            </option>
          ))}
        </select>
      </Field>
      {plans.data && plans.data.results.length > 0 ? (
        <Field label={words.say('product.plan')} errors={[...errors('plan'), ...errors('payment_plan')]}>
          <select name="plan">
            {plans.data.results.map((plan) => (
              <option key={plan.id} value={plan.id}>
                {planName(plan)}
              </option>
            ))}
          </select>
        </Field>
      ) : null}
      <Field
        label={words.say('product.price', { currency: business.currency })}
        hint={words.say('product.price.hint')}
        errors={[...errors('price'), ...errors('billed_price')]}
      >
        <input name="price" inputMode="decimal" autoComplete="off" />
      </Field>
    </>
  );
}
