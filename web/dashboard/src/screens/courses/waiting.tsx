/** Customers on the waitlist of a series, and those for whom a place is reserved. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Enrol } from './enrol.tsx';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { Listed } from '../../ui/listed.tsx';
import { mayEnrol, type Run } from './read.ts';
import { momentOf } from '../../words/times.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { useWait, type Someone } from './wait.ts';
import { whoseOf } from './labels.ts';
import { words } from './words.ts';

export function Waiting({ run }: { readonly run: Run }) {
  const business = useBusiness();
  const propose = usePropose();
  const [adding, setAdding] = useState(false);
  const [enrolling, setEnrolling] = useState<Someone | null>(null);
  const params = { id: run.id };
  const list = usePages('GET /course_waitlist_spots', {
    query: { course_date_series: [run.id], status: ['waiting', 'offered'], page_size: 50 },
    fields: ['id', 'status', 'position', 'offered_until', 'customer.id', 'customer.first_name', 'customer.last_name'],
  });
  const changes = mayEnrol(business) && run.status === 'active';
  const wait = useWait(run.id);
  const leave = (customer: number, name: string): void =>
    void propose({
      title: words.say('wait.remove.of', { name }),
      confirm: words.say('wait.remove'),
      done: words.say('wait.removed', { name }),
      grave: true,
      call: () =>
        clientOf(business.id).call('POST /course_date_series/{id}/leave_waitlist', { params, body: { customer } }),
    });
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{words.say('waitlist')}</h2>
      {changes && run.is_full ? (
        <p>
          <button type="button" className="second" onClick={() => setAdding(true)}>
            {words.say('wait')}
          </button>
        </p>
      ) : null}
      <Listed list={list} none={words.say('waitlist.none')} next={[]}>
        {(all) => (
          <ol className="rows">
            {all.map(({ id, status, position, offered_until, customer }) => {
              const name = whoseOf(customer);
              return (
                <li key={id}>
                  <strong>{name}</strong>
                  {position === null ? null : (
                    <span className="soft">{words.say('wait.position', { n: position })}</span>
                  )}
                  {status === 'offered' && offered_until ? (
                    <span className="tag good">
                      {words.say('wait.offered', { until: momentOf(offered_until, run.zone) })}
                    </span>
                  ) : null}
                  {changes && customer ? (
                    <span className="row-actions end">
                      <RowButton
                        text={words.say('enrol.confirm')}
                        about={name}
                        onClick={() => setEnrolling({ id: customer.id, label: name })}
                      />
                      <RowButton
                        text={words.say('wait.remove')}
                        about={name}
                        onClick={() => leave(customer.id, name)}
                      />
                    </span>
                  ) : null}
                </li>
              );
            })}
          </ol>
        )}
      </Listed>
      {adding ? (
        <Dialog title={words.say('wait')} onClose={() => setAdding(false)}>
          <FindCustomer
            label={words.say('enrol.who')}
            placeholder={words.say('enrol.who')}
            onChoose={(one) => void wait(one).then((made) => made && setAdding(false))}
          />
        </Dialog>
      ) : null}
      {enrolling ? <Enrol run={run} first={enrolling} onClose={() => setEnrolling(null)} /> : null}
    </section>
  );
}
