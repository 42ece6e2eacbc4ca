/** Price, capacity and sales rules of a series. */
import type { ErrorsOf, Typed } from '../../changes/proposal-form.tsx';
import { Field } from '../../ui/field.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

/** The properties of a series that the fields change. */
export const SERIES_FIELDS = [
  'id',
  'name',
  'price',
  'single_date_price',
  'max_occupancy',
  'late_join_limit',
  'late_price',
  'make_up_days',
  'cancelled_session_gives',
  'cancellation_refunds',
] as const;

const LATE_PRICES = ['prorated', 'full_price'] as const;
const GIVES = ['make_up', 'credit'] as const;
const REFUNDS = ['sessions_left', 'before_start', 'nothing'] as const;

export interface Rules {
  readonly name: string;
  readonly price: { readonly string: string };
  readonly single_date_price: { readonly string: string } | null;
  readonly max_occupancy: number | null;
  readonly late_join_limit: number | null;
  readonly late_price: (typeof LATE_PRICES)[number];
  readonly make_up_days: number | null;
  readonly cancelled_session_gives: (typeof GIVES)[number];
  readonly cancellation_refunds: (typeof REFUNDS)[number];
}

const numberIn = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Returns the values in the format of the interface. */
export const rulesOf = (typed: Typed) => ({
  name: typed.name ?? '',
  price: typedAmount(typed.price ?? ''),
  single_date_price: typed.single_date_price ? typedAmount(typed.single_date_price) : null,
  max_occupancy: numberIn(typed.max_occupancy),
  late_join_limit: numberIn(typed.late_join_limit),
  late_price: LATE_PRICES.find((one) => one === typed.late_price)!,
  make_up_days: numberIn(typed.make_up_days),
  cancelled_session_gives: GIVES.find((one) => one === typed.cancelled_session_gives)!,
  cancellation_refunds: REFUNDS.find((one) => one === typed.cancellation_refunds)!,
});

/** `series`: the current values of the fields; absent for a new one */
export function RulesFields({ series, errors }: { readonly series?: Rules; readonly errors: ErrorsOf }) {
  const { currency } = useBusiness();
  return (
    <>
      <Field label={words.say('dates.name')} hint={words.say('dates.name.hint')} errors={errors('name')}>
        <input name="name" autoComplete="off" required maxLength={200} defaultValue={series?.name} />
      </Field>
      <div className="course-pair">
        <Field label={words.say('price', { currency })} hint={words.say('price.hint')} errors={errors('price')}>
          <input name="price" inputMode="decimal" autoComplete="off" required defaultValue={series?.price.string} />
        </Field>
        <Field label={words.say('places')} hint={words.say('places.hint')} errors={errors('max_occupancy')}>
          <input name="max_occupancy" type="number" min={1} defaultValue={series?.max_occupancy ?? ''} />
        </Field>
      </div>
      <details className="course-rules" open={series !== undefined}>
        <summary>{words.say('rules')}</summary>
        <Field
          label={words.say('single', { currency })}
          hint={words.say('single.hint')}
          errors={errors('single_date_price')}
        >
          <input
            name="single_date_price"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={series?.single_date_price?.string}
          />
        </Field>
        <Field label={words.say('late')} hint={words.say('late.hint')} errors={errors('late_join_limit')}>
          <input name="late_join_limit" type="number" min={0} defaultValue={series?.late_join_limit ?? ''} />
        </Field>
        <Field label={words.say('late_price')} errors={errors('late_price')}>
          <select name="late_price" defaultValue={series?.late_price}>
            {LATE_PRICES.map((one) => (
              <option key={one} value={one}>
                {words.say(`late_price.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('make_up_days')} hint={words.say('make_up_days.hint')} errors={errors('make_up_days')}>
          <input name="make_up_days" type="number" min={1} max={366} defaultValue={series?.make_up_days ?? ''} />
        </Field>
        <Field label={words.say('gives')} errors={errors('cancelled_session_gives')}>
          <select name="cancelled_session_gives" defaultValue={series?.cancelled_session_gives}>
            {GIVES.map((one) => (
              <option key={one} value={one}>
                {words.say(`gives.${one}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('refunds')} errors={errors('cancellation_refunds')}>
          <select name="cancellation_refunds" defaultValue={series?.cancellation_refunds}>
            {REFUNDS.map((one) => (
              <option key={one} value={one}>
                {words.say(`refunds.${one}`)}
              </option>
            ))}
          </select>
        </Field>
      </details>
    </>
  );
}
