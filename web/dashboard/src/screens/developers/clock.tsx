/** The clock of a test business, which can be advanced: everything that becomes due runs in order. */
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { momentOf } from '../../words/times.ts';
import { ProposalFields } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

const POLL_MS = 1000;

/** Durations in ISO 8601. */
const LENGTHS = ['PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y'] as const;

export function Clock() {
  const { id: business, timezone } = useBusiness();
  const found = useCall('GET /test_clock', {}, { again: ({ advance }) => advance !== null && POLL_MS });
  if (found.error && !found.data) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { now, advance, failure } = found.data;
  return (
    <>
      <p>{words.say('clock.about')}</p>
      <p>
        {words.say('clock.now')} <strong>{momentOf(now, timezone)}</strong>
      </p>
      {failure ? (
        <p className="notice wrong" role="alert">
          {failure}
        </p>
      ) : null}
      {advance ? (
        <p role="status">
          {words.say('clock.until', { moment: momentOf(advance.to, timezone) })}
          <progress value={advance.progress} max={100} aria-label={words.say('clock.advance')} />
        </p>
      ) : (
        <ProposalFields
          submit={words.say('clock.advance')}
          onMade={() => void found.refetch()}
          proposal={({ by = '' }) => ({
            title: words.say('clock.advance'),
            done: words.say('clock.done'),
            call: () => clientOf(business).call('POST /test_clock/advance', { body: { by } }),
            describe: () => <p>{words.say('clock.told')}</p>,
          })}
        >
          {(errors) => (
            <Field label={words.say('clock.by')} errors={[...errors('by'), ...errors('to')]}>
              <select name="by" defaultValue="P1D">
                {LENGTHS.map((one) => (
                  <option key={one} value={one}>
                    {words.say(`clock.${one}`)}
                  </option>
                ))}
              </select>
            </Field>
          )}
        </ProposalFields>
      )}
    </>
  );
}
