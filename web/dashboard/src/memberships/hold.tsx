/** Puts a membership on hold. The interface calculates the new last day, which is shown before the change is made. */
import { useEffect, useState } from 'react';
import { Refused } from 'rollcall-sdk';
import { calendarDayOf, dateAt } from '../words/times.ts';
import { clientOf } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm, type Typed } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { useDeferred } from '../app/deferred.ts';
import { words } from './words.ts';

const FIELDS = ['id', 'start_date', 'end_date', 'customer_membership.expiration_date'] as const;

export interface HoldProps {
  readonly one: { readonly id: number; readonly name: string; readonly expiration_date: string | null };
  readonly onClose: () => void;
}

export function Hold({ one, onClose }: HoldProps) {
  const { id: business, timezone } = useBusiness();
  const [start, setStart] = useState(() => dateAt(Date.now(), timezone));
  const [end, setEnd] = useState('');
  const [extend, setExtend] = useState(one.expiration_date !== null);
  const call = () =>
    clientOf(business).call('POST /customer_membership_holds', {
      body: {
        customer_membership: one.id,
        start_date: start,
        end_date: end || null,
        extend_expirations: extend,
      },
      fields: FIELDS,
    });
  return (
    <ProposalForm
      title={words.say('do.hold.of', { name: one.name })}
      onClose={onClose}
      proposal={(_typed: Typed) => ({
        title: words.say('do.hold.of', { name: one.name }),
        confirm: words.say('do.hold'),
        about: <Preview one={one} start={start} end={end} extend={extend} />,
        done: words.say('hold.made', { name: one.name }),
        call,
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.start_date')} errors={errors('start_date')}>
            <input
              name="start_date"
              type="date"
              value={start}
              onChange={(event) => setStart(event.target.value)}
              autoFocus
            />
          </Field>
          <Field
            label={words.say('field.end_date')}
            hint={words.say('field.end_date.hint')}
            errors={errors('end_date')}
          >
            <input name="end_date" type="date" value={end} onChange={(event) => setEnd(event.target.value)} />
          </Field>
          {one.expiration_date === null ? null : (
            <label className="box">
              <input
                name="extend_expirations"
                type="checkbox"
                checked={extend}
                onChange={(event) => setExtend(event.target.checked)}
              />{' '}
              {words.say('field.extend_expirations')}
            </label>
          )}
          <Preview one={one} start={start} end={end} extend={extend} />
        </>
      )}
    </ProposalForm>
  );
}

interface PreviewProps extends Pick<HoldProps, 'one'> {
  readonly start: string;
  readonly end: string;
  readonly extend: boolean;
}

/** Shows the new last day of the membership: from a dry run, not calculated here. */
function Preview({ one, start, end, extend }: PreviewProps) {
  const { id: business } = useBusiness();
  const current = JSON.stringify({ start, end, extend });
  const asked = useDeferred(current, 300);
  const [said, setSaid] = useState<{ readonly of: string; readonly text: string; readonly wrong: boolean } | null>(
    null,
  );
  useEffect(() => {
    const wanted = JSON.parse(asked) as { start: string; end: string; extend: boolean };
    if (wanted.start === '') return setSaid(null);
    let isCurrent = true;
    clientOf(business)
      .call('POST /customer_membership_holds', {
        body: {
          customer_membership: one.id,
          start_date: wanted.start,
          end_date: wanted.end || null,
          extend_expirations: wanted.extend,
        },
        fields: FIELDS,
      })
      .dryRun()
      .then(
        (tried) => {
          if (!isCurrent) return;
          const last = tried.customer_membership?.expiration_date;
          setSaid({
            of: asked,
            wrong: false,
            text: last ? words.say('hold.last_day', { day: calendarDayOf(last) }) : words.say('hold.no_last_day'),
          });
        },
        (error: unknown) =>
          isCurrent &&
          setSaid(error instanceof Refused ? { of: asked, wrong: true, text: error.problem.message } : null),
      );
    return () => void (isCurrent = false);
  }, [asked, business, one.id]);
  // A result for other dates does not apply to these.
  const shown = said?.of === current ? said : null;
  return (
    <p role="status" className={shown?.wrong ? 'error' : undefined}>
      {shown?.text}
    </p>
  );
}
