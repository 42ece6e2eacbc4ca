/** The form of a new or existing membership. Fields that only some types have are shown for those types. */
import { useState } from 'react';
import { Box, Boxes, Choice } from '../inputs.tsx';
import { CategoryForm } from './categories.tsx';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { flagsOf, numberOrNull, oneOf, textOrNull } from '../typed.ts';
import { MEMBERSHIP_FIELDS, TYPES, useCategories, type MembershipRead } from './read.ts';
import { ProposalForm, type ErrorsOf, type Typed } from '../../../changes/proposal-form.tsx';
import { typedAmount } from '../../../app/amount.ts';
import { useBusiness } from '../../../app/business.ts';
import { useFormVersion } from '../../../app/versioned.ts';
import { words } from '../words.ts';

type Type = (typeof TYPES)[number];

const UNITS = ['days', 'weeks', 'months'] as const;
const SALE = [
  'for_sale',
  'visible_to_customers',
  'purchasable_only_by_provider',
  'new_customers_only',
  'allow_repeat_purchases',
] as const;
const USE = ['shareable', 'customers_can_hold'] as const;
const NEW: ReadonlySet<string> = new Set(['for_sale', 'visible_to_customers', 'allow_repeat_purchases']);

function bodyOf(typed: Typed, type: Type) {
  const { for_sale: _forSale, ...flags } = flagsOf(typed, [...SALE, ...USE]);
  return {
    name: typed.name ?? '',
    description: typed.description ?? '',
    category: Number(typed.category),
    ...flags,
    max_holds_per_year: numberOrNull(typed.max_holds_per_year),
    max_hold_days_per_year: numberOrNull(typed.max_hold_days_per_year),
    min_allowed_age: numberOrNull(typed.min_allowed_age),
    max_allowed_age: numberOrNull(typed.max_allowed_age),
    ...(type !== 'recurring_plan' && {
      one_time_fee: typedAmount(typed.one_time_fee ?? ''),
      begin_on_first_registration: typed.begin_on_first_registration !== undefined,
      duration: numberOrNull(typed.duration),
      duration_unit: oneOf(UNITS, typed.duration_unit),
      start_date: textOrNull(typed.start_date),
      expiration_date: textOrNull(typed.expiration_date),
    }),
    ...(type === 'prepaid_plan' && { use_prorate: typed.use_prorate !== undefined }),
  };
}

interface Known {
  readonly membership: MembershipRead;
  readonly etag: string | null;
}

export interface MembershipFormProps {
  /** as it was read; absent for a new one */
  readonly known?: Known;
  readonly refetch?: () => Promise<{ readonly data: Known | undefined }>;
  readonly onClose: () => void;
  readonly onMade?: (id: number) => void;
}

export function MembershipForm({ known, refetch, onClose, onMade }: MembershipFormProps) {
  const { opened, readAgain } = useFormVersion(known, refetch);
  const { membership, etag: version } = opened ?? {};
  const { id: business } = useBusiness();
  const categories = useCategories();
  const [type, setType] = useState<Type>(membership?.type ?? 'pack');
  const title = membership ? words.say('edit.of', { name: membership.name }) : words.say('membership.new');
  if (!categories.data) return null;
  const headings = categories.data.results;
  // Every membership needs a category.
  if (headings.length === 0) return <CategoryForm onClose={onClose} />;
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say('save')}
      onClose={onClose}
      readAgain={readAgain}
      onMade={({ id }) => {
        onClose();
        onMade?.(id);
      }}
      proposal={(typed) => {
        const body = bodyOf(typed, type);
        const for_sale = typed.for_sale !== undefined;
        return {
          title,
          confirm: words.say('save'),
          done: words.say('saved', { name: body.name }),
          call: () =>
            membership
              ? clientOf(business).call('PATCH /memberships/{id}', {
                  params: { id: membership.id },
                  body: { ...body, ...(membership.archived_at === null && { for_sale }) },
                  ...(version && { ifMatch: version }),
                  fields: MEMBERSHIP_FIELDS,
                })
              : clientOf(business).call('POST /memberships', {
                  body: { ...body, type, for_sale },
                  fields: MEMBERSHIP_FIELDS,
                }),
        };
      }}
    >
      {(errors) => (
        <>
          {membership ? null : (
            <Choice
              name="type"
              label={words.say('type')}
              hint={words.say('type.hint')}
              choices={TYPES.map((one) => [one, words.say(`type.${one}`)])}
              onChoose={(value) => setType(oneOf(TYPES, value))}
            />
          )}
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required defaultValue={membership?.name} />
          </Field>
          <Choice
            name="category"
            label={words.say('category')}
            choices={headings.map(({ id, name }) => [id, name])}
            value={membership?.category?.id}
            errors={errors('category')}
          />
          <Field label={words.say('description')} errors={errors('description')}>
            <textarea name="description" rows={3} defaultValue={membership?.description} />
          </Field>
          {type === 'recurring_plan' ? (
            <p className="hint">{words.say('price.of_plans')}</p>
          ) : (
            <Term type={type} membership={membership} errors={errors} />
          )}
          <Boxes legend={words.say('sale')}>
            {SALE.filter((one) => one !== 'for_sale' || !membership?.archived_at).map((one) => (
              <Box
                key={one}
                name={one}
                label={words.say(`flag.${one}`)}
                checked={membership ? membership[one] : NEW.has(one)}
              />
            ))}
          </Boxes>
          <Boxes legend={words.say('use')}>
            {USE.map((one) => (
              <Box key={one} name={one} label={words.say(`flag.${one}`)} checked={membership?.[one]} />
            ))}
          </Boxes>
          {(['max_holds_per_year', 'max_hold_days_per_year', 'min_allowed_age', 'max_allowed_age'] as const).map(
            (one) => (
              <Field key={one} label={words.say(`field.${one}`)} errors={errors(one)}>
                <input name={one} type="number" min={0} defaultValue={membership?.[one] ?? ''} />
              </Field>
            ),
          )}
        </>
      )}
    </ProposalForm>
  );
}

interface TermProps {
  readonly type: Type;
  readonly membership: MembershipRead | undefined;
  readonly errors: ErrorsOf;
}

/** The price and the period of use. */
function Term({ type, membership, errors }: TermProps) {
  const { currency } = useBusiness();
  return (
    <>
      <Field label={words.say('price.in', { currency })} errors={errors('one_time_fee')}>
        <input
          name="one_time_fee"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={membership?.one_time_fee?.string}
        />
      </Field>
      <Field label={words.say('field.duration')} hint={words.say('field.duration.hint')} errors={errors('duration')}>
        <input name="duration" type="number" min={1} defaultValue={membership?.duration ?? ''} />
      </Field>
      <Choice
        name="duration_unit"
        label={words.say('field.duration_unit')}
        choices={UNITS.map((one) => [one, words.say(`unit.${one}`)])}
        value={membership?.duration_unit ?? 'months'}
        errors={errors('duration_unit')}
      />
      <Field
        label={words.say('field.start_date')}
        hint={words.say('field.start_date.hint')}
        errors={errors('start_date')}
      >
        <input name="start_date" type="date" defaultValue={membership?.start_date ?? ''} />
      </Field>
      <Field
        label={words.say('field.last_day')}
        hint={words.say('field.last_day.hint')}
        errors={errors('expiration_date')}
      >
        <input name="expiration_date" type="date" defaultValue={membership?.expiration_date ?? ''} />
      </Field>
      <Box
        name="begin_on_first_registration"
        label={words.say('flag.begin_on_first_registration')}
        checked={membership?.begin_on_first_registration}
      />
      {type === 'prepaid_plan' ? (
        <Box name="use_prorate" label={words.say('flag.use_prorate')} checked={membership?.use_prorate} />
      ) : null}
    </>
  );
}
