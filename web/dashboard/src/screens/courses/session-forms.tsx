/** Moves or cancels one session. */
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { datesOf, weekly } from './plan.ts';
import { Field } from '../../ui/field.tsx';
import { Notify } from './notify.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { clockAt, whenOf } from './labels.ts';
import { words } from './words.ts';
import type { Run, Session } from './read.ts';

interface SessionFormProps {
  readonly session: Session;
  readonly onClose: () => void;
}

export function MoveSession({ session, onClose }: SessionFormProps) {
  const { id: business, timezone } = useBusiness();
  const { zone } = session;
  const title = words.say('session.move.of', { when: whenOf(session) });
  return (
    <ProposalForm
      title={title}
      submit={words.say('session.move')}
      onClose={onClose}
      proposal={({ starts_at: date = '', from = '', ends_at: to = '', tell, message }) => ({
        title,
        confirm: words.say('session.move'),
        done: words.say('session.moved'),
        call: () =>
          clientOf(business).call('PATCH /course_sessions/{id}', {
            params: { id: session.id },
            body: { ...datesOf(weekly({ date, from, to }, 1))[0], tell: tell !== undefined, message: message || null },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field
            label={words.say('plan.date')}
            hint={zone === timezone ? undefined : words.say('zone', { zone })}
            errors={errors('starts_at')}
          >
            <input name="starts_at" type="date" required defaultValue={dateAt(session.starts_at, zone)} />
          </Field>
          <div className="course-pair">
            <Field label={words.say('plan.from')}>
              <input name="from" type="time" required defaultValue={clockAt(session.starts_at, zone)} />
            </Field>
            <Field label={words.say('plan.to')} errors={errors('ends_at')}>
              <input name="ends_at" type="time" required defaultValue={clockAt(session.ends_at, zone)} />
            </Field>
          </div>
          <Notify errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}

export function CancelSession({ run, session, onClose }: SessionFormProps & { readonly run: Run }) {
  const { id: business } = useBusiness();
  const title = words.say('session.cancel.of', { when: whenOf(session) });
  // A series without make-ups has no make-up for any session.
  const choices = run.make_up_days === null ? (['credit'] as const) : (['make_up', 'credit'] as const);
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ gives, tell, message }) => ({
        title,
        confirm: words.say('session.cancel.confirm'),
        done: words.say('session.cancelled'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /course_sessions/{id}/cancel', {
            params: { id: session.id },
            body: {
              gives: choices.find((one) => one === gives)!,
              tell: tell !== undefined,
              message: message || null,
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('gives')} errors={errors('gives')}>
            <select name="gives" defaultValue={run.cancelled_session_gives}>
              {choices.map((one) => (
                <option key={one} value={one}>
                  {words.say(`gives.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          <Notify errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}
