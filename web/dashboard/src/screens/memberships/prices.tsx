/** Price changes for all holders of a membership: every old and new price is shown before anything changes. */
import { useState } from 'react';
import type { Effect } from 'rollcall-sdk';
import { calendarDayOf, dateAt, minorAmountOf } from '../../words/times.ts';
import { daysAfter } from '../../app/days.ts';
import { useNow } from '../../app/now.ts';
import { usePropose } from '../../changes/change.tsx';
import { BulkDialog } from '../../changes/bulk-results.tsx';
import { Choice } from './inputs.tsx';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { oneOf } from './typed.ts';
import { planName } from '../../memberships/plan-name.ts';
import { ProposalForm, type Typed } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { readAgain, useCall } from '../../app/calls.ts';
import { usePaymentPlans, type MembershipRead } from './plans/read.ts';
import { words } from './words.ts';

const HOWS = ['percent', 'amount', 'price'] as const;
type How = (typeof HOWS)[number];

/** The maximum number of objects that a dry run lists individually. */
const MAX_LISTED = 100;

/** The usual notice before a new price. */
const NOTICE_DAYS = 30;

/** Returns the change in the format of the interface, for this kind of input. */
function changeOf(how: How, value: string) {
  const amount = typedAmount(value);
  if (how === 'price') return { billed_price: amount };
  return { change: how === 'percent' ? { percent: Number(amount) } : { amount } };
}

/** Reads the properties needed to show names. */
const namesOf = (ids: readonly number[]) =>
  ({
    query: { ids: [...ids], page_size: MAX_LISTED },
    fields: ['id', 'customer.first_name', 'customer.last_name'],
  }) as const;

export interface PricesProps {
  readonly membership: MembershipRead;
  readonly onClose: () => void;
}

export function Prices({ membership: { id, name, type }, onClose }: PricesProps) {
  const business = useBusiness();
  const { currency, timezone } = business;
  const today = dateAt(useNow(), timezone);
  const [how, setHow] = useState<How>('percent');
  const plans = usePaymentPlans(id, type === 'recurring_plan' && may(business, 'super_admin')).data?.results ?? [];
  const [action, setAction] = useState<number | null>(null);
  const title = words.say('prices.of', { name });
  if (action !== null)
    return (
      <BulkDialog
        title={title}
        action={action}
        names={async (ids) => {
          const names = new Map<number, string>();
          if (ids.length === 0) return names;
          for await (const one of clientOf(business.id).call('GET /customer_memberships', namesOf(ids)))
            if (one.customer) names.set(one.id, nameOf(one.customer));
          return names;
        }}
        onClose={() => {
          readAgain();
          onClose();
        }}
      />
    );
  return (
    <ProposalForm<{ readonly price_edit: number | null }>
      title={title}
      onClose={onClose}
      onMade={({ price_edit: begun }) => (begun === null ? onClose() : setAction(begun))}
      proposal={({ value = '', plan, applies_on: day, message }: Typed) => ({
        title,
        confirm: words.say(day ? 'prices.schedule' : 'prices.change'),
        done: day ? words.say('prices.scheduled', { day: calendarDayOf(day) }) : words.say('prices.done', { name }),
        grave: !day,
        call: () => {
          const client = clientOf(business.id);
          const body = { membership: id, ...(plan && { plan: Number(plan) }), ...changeOf(how, value) };
          // Later, the prices that change are in the change itself.
          return day
            ? client.call('POST /membership_price_changes', {
                body: { ...body, applies_on: day, message: message || null },
                fields: ['price_edit'],
              })
            : client.call('POST /customer_memberships/bulk_edit_prices', { body, fields: ['price_edit'] });
        },
        describe: ({ effects }) => <Told effects={effects} />,
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('prices.about')}</p>
          {plans.length > 1 ? (
            <Choice
              name="plan"
              label={words.say('plan')}
              choices={[['', words.say('any')], ...plans.map((plan) => [plan.id, planName(plan)] as const)]}
              errors={errors('plan')}
            />
          ) : null}
          <Choice
            name="how"
            label={words.say('prices.how')}
            choices={HOWS.map((one) => [one, words.say(`prices.${one}`)])}
            onChoose={(value) => setHow(oneOf(HOWS, value))}
          />
          <Field
            label={words.say(`prices.${how}.value`, { currency })}
            hint={how === 'price' ? undefined : words.say('prices.less')}
            errors={[
              ...errors('billed_price'),
              ...errors('change'),
              ...errors('change.percent'),
              ...errors('change.amount'),
            ]}
          >
            <input name="value" inputMode={how === 'price' ? 'decimal' : 'text'} autoComplete="off" required />
          </Field>
          <Field label={words.say('prices.from')} hint={words.say('prices.from.hint')} errors={errors('applies_on')}>
            <input
              name="applies_on"
              type="date"
              min={daysAfter(today, 1)}
              defaultValue={daysAfter(today, NOTICE_DAYS)}
            />
          </Field>
          <Field label={words.say('prices.message')} hint={words.say('prices.message.hint')} errors={errors('message')}>
            <textarea name="message" rows={3} maxLength={2000} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

interface OnePrice {
  readonly customer: number;
  readonly before_minor: number;
  readonly after_minor: number;
  /** first day of the first billing period at the new price; null: it applies immediately */
  readonly from: string | null;
}

interface Stays {
  readonly customer: number;
  readonly because: string;
}

interface Sum {
  readonly customer_memberships: number;
  readonly changed: number;
  readonly refused: number;
  readonly before_minor: number;
  readonly after_minor: number;
}

const detailsOf = <T,>(effects: readonly Effect[], kind: string) =>
  effects
    .filter(({ effect }) => effect === kind)
    .map(({ id, detail }) => ({ id: id ?? 0, ...(detail as unknown as T) }));

/** Shows each old and new price, the unchanged ones with the reason, and the total. */
function Told({ effects }: { readonly effects: readonly Effect[] }) {
  const { currency } = useBusiness();
  const changes = detailsOf<OnePrice>(effects, 'price_changed');
  const stay = detailsOf<Stays>(effects, 'price_stays');
  const [sum] = detailsOf<Sum>(effects, 'prices_changed');
  const [told] = detailsOf<{ readonly people: number }>(effects, 'message_sent');
  const held = [...changes, ...stay].map(({ id }) => id);
  const names = useCall('GET /customer_memberships', namesOf(held));
  if (names.error) return <Failed error={names.error} again={() => void names.refetch()} />;
  if (!names.data) return <Loading />;
  const whose = new Map(names.data.results.map(({ id, customer }) => [id, customer ? nameOf(customer) : '']));
  const amount = (minor: number): string => minorAmountOf(minor, currency);
  return (
    <>
      <div className="wide-table" tabIndex={0} role="group" aria-label={words.say('prices.each')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.say('customer')}</th>
              <th scope="col" className="amount">
                {words.say('prices.before')}
              </th>
              <th scope="col" className="amount">
                {words.say('prices.after')}
              </th>
              <th scope="col">{words.say('prices.from')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ id, before_minor: before, after_minor: after, from }) => (
              <tr key={id}>
                <th scope="row">{whose.get(id)}</th>
                <td className="amount">{amount(before)}</td>
                <td className="amount">{amount(after)}</td>
                <td>{from === null ? words.say('prices.now') : calendarDayOf(from)}</td>
              </tr>
            ))}
            {stay.map(({ id, because }) => (
              <tr key={id}>
                <th scope="row">{whose.get(id)}</th>
                <td colSpan={3} className="error">
                  {because}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sum ? (
        <>
          {sum.customer_memberships > held.length ? (
            <p>{words.say('prices.more', { n: sum.customer_memberships - held.length })}</p>
          ) : null}
          {told ? <p>{words.say('prices.told', { n: told.people })}</p> : null}
          <p>
            <strong>
              {words.say('prices.sum', {
                n: sum.changed,
                all: sum.customer_memberships,
                before: amount(sum.before_minor),
                after: amount(sum.after_minor),
              })}
            </strong>
          </p>
        </>
      ) : null}
    </>
  );
}

const signed = (n: number, text: string): string => (n > 0 ? `+${text}` : text);

/** The price changes whose day has not come, and the way to cancel them. */
export function ScheduledPrices({ membership: { id, name } }: Pick<PricesProps, 'membership'>) {
  const { id: business, currency } = useBusiness();
  const propose = usePropose();
  const found = useCall('GET /membership_price_changes', {
    query: { membership: [id], status: ['scheduled'], page_size: 1 },
    fields: ['id', 'applies_on', 'billed_price', 'amount', 'percent'],
  });
  const [change] = found.data?.results ?? [];
  if (!change) return null;
  const { applies_on, billed_price: price, amount, percent } = change;
  const what =
    price !== null
      ? `${price} ${currency}`
      : percent !== null
        ? signed(percent, `${percent} %`)
        : signed(Number(amount), minorAmountOf(Number(amount), currency));
  const cancel = (): void =>
    void propose({
      title: words.say('prices.cancel.of', { name }),
      confirm: words.say('prices.cancel'),
      done: words.say('prices.cancelled', { name }),
      call: () =>
        clientOf(business).call('POST /membership_price_changes/{id}/cancel', { params: { id: change.id }, body: {} }),
    });
  return (
    <p className="notice">
      {words.say('prices.ahead', { day: calendarDayOf(applies_on), what })}{' '}
      <button type="button" className="second" onClick={cancel}>
        {words.say('prices.cancel')}
      </button>
    </p>
  );
}
