/** The payment plans of a recurring plan: prices, billing periods, commitments, and start fees. */
import { useState } from 'react';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Fees } from './fees.tsx';
import { NewPlan, PlanForm } from './plan-forms.tsx';
import { planName } from '../../../memberships/plan-name.ts';
import { RowButton } from '../../../ui/row-button.tsx';
import { usePaymentPlans, type PaymentPlan } from './read.ts';
import { WEEKDAYS, weekdayOf } from '../../../words/weekdays.ts';
import { None } from '../../../ui/listed.tsx';
import { words } from '../words.ts';

/** Returns the name of a weekday. The interface spells one of them in its own way, and accepts both spellings. */
const dayName = (day: string): string => weekdayOf(WEEKDAYS.find((one) => one === day) ?? 'saturday');

export function PaymentPlans({ membership }: { readonly membership: number }) {
  const { data, error, refetch } = usePaymentPlans(membership);
  const [doing, setDoing] = useState<'new' | PaymentPlan | null>(null);
  if (error && !data) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      {data.results.length === 0 ? <None text={words.say('plans.none')} /> : null}
      <ul className="rows">
        {data.results.map((plan) => (
          <li key={plan.id}>
            <strong>{planName(plan)}</strong>
            {plan.status === 'for_sale' ? null : <span className="tag">{words.say('state.not_for_sale')}</span>}
            <span className="soft small">{commitmentOf(plan)}</span>
            <span className="end">
              <RowButton text={words.say('edit')} about={planName(plan)} onClick={() => setDoing(plan)} />
            </span>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="second" onClick={() => setDoing('new')}>
          {words.say('plan.new')}
        </button>
      </div>
      <Fees plans={data.results} />
      {doing === 'new' ? <NewPlan membership={membership} onClose={() => setDoing(null)} /> : null}
      {doing !== null && doing !== 'new' ? <PlanForm plan={doing} onClose={() => setDoing(null)} /> : null}
    </>
  );
}

function commitmentOf(plan: PaymentPlan): string {
  const { committed_billing_periods: periods, fixed_billing_day_of_month: ofMonth } = plan;
  const ofWeek = plan.fixed_billing_day_of_week;
  return [
    periods === null ? words.say('commitment.none') : words.say('commitment.of', { n: periods }),
    periods === null ? null : words.say(`then.${plan.commitment_expiration_scheme}`),
    ofMonth === null ? null : words.say('billed.month', { n: ofMonth }),
    ofWeek === null ? null : words.say('billed.week', { day: dayName(ofWeek) }),
    plan.cancellation_notice_days === null ? null : words.say('notice.of', { n: plan.cancellation_notice_days }),
  ]
    .filter(Boolean)
    .join(' · ');
}
