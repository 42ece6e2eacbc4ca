/** A request for a substitute: the instructor's message, the offers of others, and the decision of a manager. */
import { useState } from 'react';
import './substitutes.css';
import { clientOf } from '../app/client.ts';
import { Failed } from '../ui/states.tsx';
import { Field } from '../ui/field.tsx';
import { may, useBusiness } from '../app/business.ts';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { useCall } from '../app/calls.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export interface RequestedProps {
  readonly event: { readonly id: number; readonly name: string };
}

/** Shows the open requests for an event. */
export function Requested({ event }: RequestedProps) {
  const business = useBusiness();
  const propose = usePropose();
  const [declining, setDeclining] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const found = useCall('GET /substitute_requests', {
    query: { event: [event.id], status: ['open'] },
    fields: ['id', 'message', 'instructor.name', 'offers.id', 'offers.name'],
  });
  const manages = may(business, 'manage_events');
  const choose = (id: number, instructor: { readonly id: number; readonly name: string }): void =>
    void propose({
      title: words.say('choose.title', { name: instructor.name, event: event.name }),
      confirm: words.say('choose'),
      done: words.say('choose.done', { name: instructor.name, event: event.name }),
      call: () =>
        clientOf(business.id).call('POST /substitute_requests/{id}/approve', {
          params: { id },
          body: { instructor: instructor.id },
        }),
    });
  return (
    <>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {found.data?.results.map(({ id, message, instructor, offers }) => (
        <section key={id} className="notice" aria-label={words.say('wanted')}>
          <p>
            <strong>{words.say('cannot', { name: instructor?.name ?? '' })}</strong>
            {message ? <q className="said">{message}</q> : null}
          </p>
          <p>{words.say('offers', { n: offers.length })}</p>
          {offers.length > 0 ? (
            <ul className="rows">
              {offers.map((one) => (
                <li key={one.id}>
                  <strong className="what">{one.name}</strong>
                  {manages ? (
                    <button
                      type="button"
                      className="button end"
                      aria-label={words.say('choose.of', { name: one.name })}
                      onClick={() => choose(id, one)}
                    >
                      {words.say('choose')}
                    </button>
                  ) : null}
                </li>
              ))}
            </ul>
          ) : null}
          {manages ? (
            <p className="actions">
              <button
                type="button"
                className="second"
                onClick={() => setDeclining({ id, name: instructor?.name ?? '' })}
              >
                {words.say('decline')}
              </button>
            </p>
          ) : null}
        </section>
      ))}
      {declining ? (
        <ProposalForm
          title={words.say('decline.title', declining)}
          onClose={() => setDeclining(null)}
          proposal={({ answer }) => ({
            title: words.say('decline.title', declining),
            confirm: words.say('decline'),
            about: <p>{words.say('decline.about', declining)}</p>,
            done: words.say('decline.done'),
            call: () =>
              clientOf(business.id).call('POST /substitute_requests/{id}/decline', {
                params: { id: declining.id },
                body: { answer: answer || null },
              }),
          })}
        >
          {(errors) => (
            <Field label={words.say('ask.message')} errors={errors('answer')}>
              <textarea name="answer" rows={3} maxLength={1000} />
            </Field>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
