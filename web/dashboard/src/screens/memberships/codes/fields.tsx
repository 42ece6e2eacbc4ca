/** The fields that one code and generated codes have in common, and their values. */
import { useState } from 'react';
import { Box, Boxes, Choice } from '../inputs.tsx';
import { checkedValues, numberOrNull, oneOf, textOrNull } from '../typed.ts';
import { Field } from '../../../ui/field.tsx';
import { PURCHASES, valueOf, type CodeRead } from './read.ts';
import { typedAmount } from '../../../app/amount.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { ErrorsOf, Typed } from '../../../changes/proposal-form.tsx';

const TYPES = ['percent', 'flat'] as const;

export const codeBody = (typed: Typed) => ({
  name: typed.name ?? '',
  discount_type: oneOf(TYPES, typed.discount_type),
  discount_amount: typedAmount(typed.discount_amount ?? ''),
  allowed_uses: numberOrNull(typed.allowed_uses),
  allowed_uses_per_customer: numberOrNull(typed.allowed_uses_per_customer),
  usable_start_date: textOrNull(typed.usable_start_date),
  usable_end_date: textOrNull(typed.usable_end_date),
  usable_purchase_types: checkedValues(typed, 'usable_purchase_types').map((one) => oneOf(PURCHASES, one)),
  usable_by_new_customers_only: typed.usable_by_new_customers_only !== undefined,
  usable_by_default_for_purchase_types: typed.some_only === undefined,
  applicable_billing_cycles: Number(typed.applicable_billing_cycles) || 0,
});

export interface CodeFieldsProps {
  /** absent for a new one */
  readonly code?: CodeRead;
  readonly errors: ErrorsOf;
}

export function CodeFields({ code, errors }: CodeFieldsProps) {
  const { currency } = useBusiness();
  const [type, setType] = useState<(typeof TYPES)[number]>(code?.discount_type ?? 'percent');
  return (
    <>
      <Field label={words.say('name')} hint={words.say('code.name.hint')} errors={errors('name')}>
        <input name="name" autoComplete="off" required defaultValue={code?.name} />
      </Field>
      <Choice
        name="discount_type"
        label={words.say('code.type')}
        choices={TYPES.map((one) => [one, words.say(`code.type.${one}`)])}
        value={type}
        onChoose={(value) => setType(oneOf(TYPES, value))}
        errors={errors('discount_type')}
      />
      <Field
        label={type === 'flat' ? words.say('code.amount', { currency }) : words.say('code.share')}
        errors={errors('discount_amount')}
      >
        <input
          name="discount_amount"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={code ? valueOf(code) : ''}
        />
      </Field>
      <Boxes legend={words.say('code.for')} errors={errors('usable_purchase_types')}>
        {PURCHASES.map((one) => (
          <Box
            key={one}
            name={`usable_purchase_types.${one}`}
            label={words.say(`purchase.${one}`)}
            checked={code ? code.usable_purchase_types.includes(one) : one === 'membership'}
          />
        ))}
      </Boxes>
      <Box
        name="some_only"
        label={words.say('code.some')}
        checked={code ? !code.usable_by_default_for_purchase_types : false}
      />
      <Box
        name="usable_by_new_customers_only"
        label={words.say('flag.new_customers_only')}
        checked={code?.usable_by_new_customers_only}
      />
      <Field label={words.say('code.allowed')} hint={words.say('code.no_limit')} errors={errors('allowed_uses')}>
        <input name="allowed_uses" type="number" min={1} defaultValue={code?.allowed_uses ?? ''} />
      </Field>
      <Field
        label={words.say('code.allowed_each')}
        hint={words.say('code.allowed_each.hint')}
        errors={errors('allowed_uses_per_customer')}
      >
        <input
          name="allowed_uses_per_customer"
          type="number"
          min={1}
          defaultValue={code ? (code.allowed_uses_per_customer ?? '') : 1}
        />
      </Field>
      <Field label={words.say('field.start_date')} errors={errors('usable_start_date')}>
        <input name="usable_start_date" type="date" defaultValue={code?.usable_start_date ?? ''} />
      </Field>
      <Field label={words.say('field.last_day')} errors={errors('usable_end_date')}>
        <input name="usable_end_date" type="date" defaultValue={code?.usable_end_date ?? ''} />
      </Field>
      <Field
        label={words.say('code.cycles')}
        hint={words.say('code.cycles.hint')}
        errors={errors('applicable_billing_cycles')}
      >
        <input
          name="applicable_billing_cycles"
          type="number"
          min={0}
          defaultValue={code?.applicable_billing_cycles ?? 1}
        />
      </Field>
    </>
  );
}
