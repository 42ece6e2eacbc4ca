/** Adds sessions to a series that was already sold: everyone who is enrolled is booked for them. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { daysAfter } from '../../app/days.ts';
import { datesOf, weekly, type Times } from './plan.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { Notify } from './notify.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { clockAt } from './labels.ts';
import { SessionsFields } from './sessions-fields.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { useSessions, type Run } from './read.ts';
import { words } from './words.ts';

interface AddSessionsProps {
  readonly run: Run;
  readonly onClose: () => void;
}

export function AddSessions({ run, onClose }: AddSessionsProps) {
  const { sessions, error, again } = useSessions(run.id);
  if (!sessions)
    return (
      <Dialog title={words.say('sessions.add')} onClose={onClose}>
        {error ? <Failed error={error} again={again} /> : <Loading />}
      </Dialog>
    );
  const last = sessions.at(-1);
  const { zone } = run;
  return (
    <Form
      run={run}
      onClose={onClose}
      first={
        last
          ? {
              date: daysAfter(dateAt(last.starts_at, zone), 7),
              from: clockAt(last.starts_at, zone),
              to: clockAt(last.ends_at, zone),
            }
          : { date: dateAt(Date.now(), zone), from: '18:00', to: '20:00' }
      }
    />
  );
}

const COSTS = ['free', 'prorated'] as const;

function Form({ run, first, onClose }: AddSessionsProps & { readonly first: Times }) {
  const { id: business, currency, timezone } = useBusiness();
  const [plan, setPlan] = useState(() => weekly(first, 1));
  const { zone } = run;
  const title = words.say('sessions.add');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ cost, price, tell, message }) => ({
        title,
        done: words.say('sessions.added'),
        call: () =>
          clientOf(business).call('POST /course_date_series/{id}/add_sessions', {
            params: { id: run.id },
            body: {
              dates: datesOf(plan),
              cost: COSTS.find((one) => one === cost)!,
              ...(price && { price: typedAmount(price) }),
              tell: tell !== undefined,
              message: message || null,
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <SessionsFields plan={plan} errors={errors} zone={zone === timezone ? null : zone} onChange={setPlan} />
          <Field label={words.say('cost')} hint={words.say('cost.hint')} errors={errors('cost')}>
            <select name="cost">
              {COSTS.map((one) => (
                <option key={one} value={one}>
                  {words.say(`cost.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field
            label={words.say('price.new', { currency })}
            hint={words.say('price.new.hint')}
            errors={errors('price')}
          >
            <input name="price" inputMode="decimal" autoComplete="off" placeholder={run.price.string} />
          </Field>
          <Notify errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
