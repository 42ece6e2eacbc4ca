/** What the person is paid for sessions that have ended, each with its reason. */
import { useState } from 'react';
import { amountOf, dayOf } from '../../words/times.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Listed } from '../../ui/listed.tsx';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

/** An event at a venue that the person doesn't see is left out. */
const dayOfEvent = (event: { readonly starts_at: string; readonly timezone: string } | null): string =>
  event === null ? '' : dayOf(event.starts_at, event.timezone);

export function Pay({ instructor }: { readonly instructor: number }) {
  const [shown, setShown] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const list = usePages('GET /instructor_pay_items', {
    query: { instructors: [instructor], sort: ['-starts_at'], page_size: 10 },
    fields: ['id', 'pay', 'status', 'event.name', 'event.starts_at', 'event.timezone'],
  });
  return (
    <section className="card" aria-labelledby="pay">
      <h2 id="pay">{words.say('pay')}</h2>
      <Listed list={list} none={words.say('pay.none')}>
        {(all) => (
          <ul className="plain-list">
            {all.map(({ id, pay, status, event }) => (
              <li key={id} className="line">
                <span>
                  {event?.name}
                  <br />
                  <span className="soft small">{dayOfEvent(event)}</span>
                </span>
                <span className="end">{pay === null ? words.say('pay.uncovered') : amountOf(pay)}</span>
                <span className="tag">{words.say(`pay.${status}`)}</span>
                <button
                  type="button"
                  className="plain"
                  aria-label={words.say('pay.why.of', { name: event?.name ?? '', day: dayOfEvent(event) })}
                  onClick={() => setShown({ id, name: event?.name ?? words.say('pay') })}
                >
                  {words.say('pay.why')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {shown ? <Why {...shown} onClose={() => setShown(null)} /> : null}
    </section>
  );
}

interface WhyProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

function Why({ id, name, onClose }: WhyProps) {
  const found = useCall('GET /instructor_pay_items/{id}/explain', { params: { id } });
  return (
    <Dialog title={name} onClose={onClose} side>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data ? (
        <>
          <p>{found.data.because}</p>
          <ul className="rows">
            {found.data.steps.map(({ name: step, amount, text }) => (
              <li key={step}>
                <span>{text}</span>
                <span className="end">{amountOf(amount)}</span>
              </li>
            ))}
          </ul>
          {found.data.pay ? (
            <p>
              <strong>{amountOf(found.data.pay)}</strong>
            </p>
          ) : null}
        </>
      ) : null}
    </Dialog>
  );
}
