/** An instructor's own requests for a substitute, until somebody takes over. */
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { dayOf } from '../words/times.ts';
import { Field } from '../ui/field.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

interface Taught {
  readonly id: number;
  readonly name: string;
  readonly starts_at: string;
  readonly timezone: string;
}

const MAX_ROWS = 100;

/** Returns the person's open requests by event; undefined until they are read. */
export function useMyRequests() {
  const found = useCall('GET /substitute_requests', {
    query: { mine: true, status: ['open'], page_size: MAX_ROWS },
    fields: ['id', 'event'],
  });
  const requests = found.data && new Map(found.data.results.map(({ id, event }) => [event, id]));
  return { requests, error: found.error, refetch: found.refetch };
}

export interface AskProps {
  readonly event: Taught;
  /** id of the open request; absent if there is none */
  readonly request: number | undefined;
}

/** Requests a substitute, or withdraws the request. */
export function Ask({ event, request }: AskProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [asking, setAsking] = useState(false);
  const named = { name: event.name, day: dayOf(event.starts_at, event.timezone) };
  if (request !== undefined)
    return (
      <>
        <span className="tag wrong">{words.say('wanted')}</span>
        <button
          type="button"
          className="second"
          aria-label={words.say('of', { action: words.say('withdraw'), ...named })}
          onClick={() =>
            void propose({
              title: words.say('withdraw.of', named),
              confirm: words.say('withdraw'),
              done: words.say('withdraw.done', named),
              call: () =>
                clientOf(business).call('POST /substitute_requests/{id}/withdraw', { params: { id: request } }),
            })
          }
        >
          {words.say('withdraw')}
        </button>
      </>
    );
  return (
    <>
      <button
        type="button"
        className="second"
        aria-label={words.say('of', { action: words.say('ask'), ...named })}
        onClick={() => setAsking(true)}
      >
        {words.say('ask')}
      </button>
      {asking ? (
        <ProposalForm
          title={words.say('ask.of', named)}
          onClose={() => setAsking(false)}
          proposal={({ message }) => ({
            title: words.say('ask.of', named),
            confirm: words.say('ask'),
            done: words.say('ask.done'),
            call: () =>
              clientOf(business).call('POST /substitute_requests', {
                body: { event: event.id, message: message || null },
              }),
          })}
        >
          {(errors) => (
            <>
              <p>{words.say('ask.about')}</p>
              <Field label={words.say('ask.message')} errors={errors('message')}>
                <textarea name="message" rows={3} maxLength={1000} />
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
