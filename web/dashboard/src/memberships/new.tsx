/** A new pack or club in one form: what it costs, how often it can be used, and for which classes. */
import { clientOf } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm, type Typed } from '../changes/proposal-form.tsx';
import { typedAmount } from '../app/amount.ts';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { words } from './words.ts';

/** `club`: paid every month */
export type NewKind = 'pack' | 'club';

export interface NewMembershipProps {
  readonly kind: NewKind;
  readonly onClose: () => void;
  readonly onMade?: (id: number) => void;
}

/** Higher than the number of kinds of classes that any business has. */
const MAX_OFFERINGS = 200;
const OFFERING = 'offering.';
/** The fields have the names of the properties that they fill, so that an error is shown next to its field. */
const USES = 'allotment.period_limits.0.max_uses';
const PRICE = { pack: 'one_time_fee', club: 'payment_plans.0.price' } as const;
const COMMITMENT = 'payment_plans.0.committed_billing_periods';

/** Returns the body of the call that creates it with all its parts. */
export function wholeOf(kind: NewKind, typed: Typed, offerings: readonly number[], category: string) {
  const chosen = offerings.filter((id) => typed[`${OFFERING}${id}`] !== undefined);
  const uses = typed[USES] ? Number(typed[USES]) : null;
  const price = typedAmount(typed[PRICE[kind]] ?? '');
  return {
    name: typed.name ?? '',
    type: kind === 'pack' ? ('pack' as const) : ('recurring_plan' as const),
    ...(typed.category ? { category: Number(typed.category) } : { category_name: category }),
    allow_repeat_purchases: true,
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
    for_sale: true,
    allotment: {
      types: ['event' as const],
      period_limits:
        uses === null
          ? []
          : [
              {
                period: kind === 'pack' ? ('total' as const) : ('billing_period' as const),
                type: 'limited' as const,
                max_uses: uses,
                offering_type_limits: [],
              },
            ],
    },
    // With all of them, it also includes those that are added later.
    ...(chosen.length < offerings.length && { registration_options: chosen }),
    ...(kind === 'pack'
      ? {
          one_time_fee: price,
          ...(typed.duration && { duration: Number(typed.duration), duration_unit: 'months' as const }),
        }
      : {
          payment_plans: [
            {
              price,
              billing_period_length: 1,
              billing_period_unit: 'months' as const,
              ...(typed[COMMITMENT] && { committed_billing_periods: Number(typed[COMMITMENT]) }),
            },
          ],
        }),
  };
}

export function NewMembership({ kind, onClose, onMade }: NewMembershipProps) {
  const { id: business } = useBusiness();
  const categories = useCall('GET /membership_categories', { query: { page_size: 100 }, fields: ['id', 'name'] });
  const options = useCall('GET /registration_options', {
    query: { page_size: MAX_OFFERINGS },
    fields: ['id', 'offering_type.name'],
  });
  if (!categories.data || !options.data) return null;
  const offerings = options.data.results;
  const title = words.say(`new.${kind}`);
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say('new.create')}
      onClose={onClose}
      onMade={({ id }) => {
        onClose();
        onMade?.(id);
      }}
      proposal={(typed) => ({
        title,
        done: words.say('new.done', { name: typed.name ?? '' }),
        call: () =>
          clientOf(business).call('POST /memberships', {
            body: wholeOf(
              kind,
              typed,
              offerings.map(({ id }) => id),
              words.say('new.category.usual'),
            ),
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('new.name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required placeholder={words.say(`new.name.${kind}`)} />
          </Field>
          <Field label={words.say(`new.price.${kind}`)} errors={errors(PRICE[kind])}>
            <input name={PRICE[kind]} inputMode="decimal" autoComplete="off" required />
          </Field>
          <Field
            label={words.say(`new.uses.${kind}`)}
            {...(kind === 'club' && { hint: words.say('new.uses.hint') })}
            errors={errors(USES)}
          >
            <input
              name={USES}
              type="number"
              min={1}
              max={1000}
              defaultValue={kind === 'pack' ? 10 : ''}
              required={kind === 'pack'}
            />
          </Field>
          {kind === 'pack' ? (
            <Field label={words.say('new.duration')} hint={words.say('new.duration.hint')} errors={errors('duration')}>
              <input name="duration" type="number" min={1} max={120} />
            </Field>
          ) : (
            <Field
              label={words.say('new.commitment')}
              hint={words.say('new.commitment.hint')}
              errors={errors(COMMITMENT)}
            >
              <input name={COMMITMENT} type="number" min={1} max={120} />
            </Field>
          )}
          {offerings.length > 1 ? (
            <fieldset className="field">
              <legend>{words.say('new.offerings')}</legend>
              {offerings.map(({ id, offering_type }) => (
                <label key={id} className="box">
                  <input type="checkbox" name={`${OFFERING}${id}`} defaultChecked /> {offering_type?.name}
                </label>
              ))}
            </fieldset>
          ) : (
            offerings.map(({ id }) => <input key={id} type="hidden" name={`${OFFERING}${id}`} value="on" />)
          )}
          {categories.data.results.length > 1 ? (
            <Field label={words.say('new.category')} errors={errors('category')}>
              <select name="category">
                {categories.data.results.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          ) : (
            categories.data.results.map(({ id }) => <input key={id} type="hidden" name="category" value={id} />)
          )}
        </>
      )}
    </ProposalForm>
  );
}
