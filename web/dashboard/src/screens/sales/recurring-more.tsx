/** The payment method of a recurring plan, and its upcoming invoices. */
import { amountOf, calendarDayOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { Plan } from './recurring.tsx';

interface MoreProps {
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** Higher than the number that any family has saved. */
const MAX_ROWS = 50;

export function PayWith({ plan: { id, payment_method, customer_membership: owned }, onClose }: MoreProps) {
  const { id: business } = useBusiness();
  const customer = owned?.customer;
  // A child's plan is paid by a member of their family.
  const payers = [...new Set([customer?.id, payment_method?.customer].filter((one) => typeof one === 'number'))];
  const found = useCall(
    'GET /payment_methods',
    {
      query: { customer: payers, sort: ['-id'], page_size: MAX_ROWS },
      fields: ['id', 'long_description'],
    },
    { enabled: payers.length > 0 },
  );
  const title = words.say('method.title', { what: owned?.name ?? '' });
  const methods = found.data?.results ?? [];
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ payment_method: chosen }) => ({
        title,
        confirm: words.say('method'),
        done: words.say('method.done'),
        call: () =>
          clientOf(business).call('PATCH /payment_subscriptions/{id}', {
            params: { id },
            body: { payment_method: Number(chosen) || null },
          }),
      })}
    >
      {(errors) =>
        found.error ? (
          <Failed error={found.error} again={() => void found.refetch()} />
        ) : found.data ? (
          <Field
            label={words.say('method.label')}
            hint={words.say(methods.length === 0 ? 'method.empty' : 'method.hint')}
            errors={errors('payment_method')}
          >
            <select name="payment_method" defaultValue={payment_method?.id ?? ''}>
              <option value="">{words.say('method.newest')}</option>
              {methods.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.long_description}
                </option>
              ))}
            </select>
          </Field>
        ) : (
          <Loading />
        )
      }
    </ProposalForm>
  );
}

export function NextInvoices({ plan: { id, customer_membership: owned }, onClose }: MoreProps) {
  const found = useCall('GET /payment_subscriptions/{id}/upcoming_invoices', { params: { id }, query: { count: 3 } });
  return (
    <Dialog title={words.say('next.title', { what: owned?.name ?? '' })} onClose={onClose}>
      <p className="soft">{words.say('next.about')}</p>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {found.data ? (
        found.data.upcoming_invoices.length === 0 ? (
          <None text={words.say('next.none')} />
        ) : (
          <ul className="plain-list">
            {found.data.upcoming_invoices.map((one) => (
              <li key={one.period_start_date} className="card">
                <strong>{calendarDayOf(one.billing_date)}</strong>
                <ul>
                  {one.line_items.map((line, n) => (
                    <li key={n}>
                      {line.description}: {amountOf(line.total)}
                    </li>
                  ))}
                </ul>
                {one.account_credit.decimal > 0 ? (
                  <p className="small">{words.say('next.credit', { amount: amountOf(one.account_credit) })}</p>
                ) : null}
                <p>{words.say('next.due', { amount: amountOf(one.amount_due) })}</p>
              </li>
            ))}
          </ul>
        )
      ) : found.error ? null : (
        <Loading />
      )}
    </Dialog>
  );
}
