/** The credit for a hold, and the charge when the membership resumes, with the calculation. */
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { holdName, type HoldRead } from './read.ts';
import { ui } from '../../../ui/words.ts';
import { useCall } from '../../../app/calls.ts';
import { words } from '../words.ts';

export interface PaymentOfProps {
  readonly hold: HoldRead;
  readonly onClose: () => void;
}

export function PaymentOf({ hold, onClose }: PaymentOfProps) {
  const { data, error, refetch } = useCall('GET /customer_membership_holds/{id}/payment_resolution', {
    params: { id: hold.id },
  });
  const periods = data
    ? [
        data.start_billing_period && {
          ...data.start_billing_period,
          title: words.say('payment.start'),
          amount: words.say('payment.credited', { amount: amountOf(data.start_billing_period.credit) }),
        },
        data.reactivation_billing_period && {
          ...data.reactivation_billing_period,
          title: words.say('payment.again'),
          amount: words.say('payment.charged', { amount: amountOf(data.reactivation_billing_period.charge) }),
        },
      ].filter((one) => one !== null)
    : [];
  return (
    <Dialog title={words.say('payment.of', { name: holdName(hold) })} onClose={onClose}>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <>
          <p>
            <strong>
              {data.resolution.type === 'none'
                ? words.say('payment.none')
                : words.say(`payment.${data.resolution.type}`, { amount: amountOf(data.resolution.amount) })}
            </strong>{' '}
            {data.resolution.due_date
              ? words.say('payment.due', { day: calendarDayOf(data.resolution.due_date) })
              : null}
          </p>
          {data.resolution.explanation ? <p lang="en">{data.resolution.explanation}</p> : null}
          {periods.map((period) => (
            <section key={period.title} aria-label={period.title}>
              <h3>{period.title}</h3>
              <p>
                {words.say('hold.between', {
                  from: calendarDayOf(period.start_date),
                  to: calendarDayOf(period.end_date),
                })}
                {' · '}
                {amountOf(period.price)}
              </p>
              <p className="soft">
                {words.say('payment.days', { held: period.held_days, all: period.total_days })} · {period.amount}
              </p>
            </section>
          ))}
        </>
      ) : null}
      <div className="actions">
        <button type="button" className="second" onClick={onClose}>
          {ui.say('close')}
        </button>
      </div>
    </Dialog>
  );
}
