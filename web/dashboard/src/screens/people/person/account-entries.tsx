/** The customer's charges and credits, and voiding those that are not on an invoice yet. */
import { useState } from 'react';
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { PayAtDesk } from '../../../money/pay-at-desk.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

interface Entry {
  readonly id: number;
  readonly what: string;
}

export function Entries({ person }: TabProps) {
  const business = useBusiness();
  const [voiding, setVoiding] = useState<Entry | null>(null);
  const [taking, setTaking] = useState<Entry | null>(null);
  const list = usePages('GET /account_entries', {
    query: { customer: [person.id], sort: ['-id'], page_size: 20 },
    fields: ['id', 'kind', 'status', 'amount', 'explanation', 'due_date', 'reverses', 'void_explanation'],
  });
  return (
    <>
      <Listed list={list} none={words.say('entries.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('entries')}>
            {all.map(({ id, kind, status, amount, explanation, due_date, reverses, void_explanation }) => {
              const what = explanation ?? words.say(`entry.${kind}`);
              return (
                <li key={id}>
                  <span>{calendarDayOf(due_date)}</span>
                  <span>{what}</span>
                  <span className="tag">{words.say(`entry.${status}`)}</span>
                  <span className="end">{amount ? `${kind === 'credit' ? '−' : ''}${amountOf(amount)}` : ''}</span>
                  {status === 'open' && kind === 'charge' && may(business, 'pos') ? (
                    <RowButton text={words.say('take')} about={what} onClick={() => setTaking({ id, what })} />
                  ) : null}
                  {status === 'open' && reverses === null && may(business, 'customer_payments') ? (
                    <RowButton text={words.say('void')} about={what} onClick={() => setVoiding({ id, what })} />
                  ) : null}
                  {void_explanation ? <p className="whole soft small">{void_explanation}</p> : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {taking ? (
        <Dialog title={words.say('take.of', { what: taking.what })} onClose={() => setTaking(null)}>
          <PayAtDesk
            customer={person.id}
            items={[{ account_entry: taking.id }]}
            venue={null}
            title={words.say('take.of', { what: taking.what })}
            confirm={words.say('take')}
            done={words.say('take.done')}
            onSold={() => setTaking(null)}
            onCancel={() => setTaking(null)}
          />
        </Dialog>
      ) : null}
      {voiding ? <Void entry={voiding} onClose={() => setVoiding(null)} /> : null}
    </>
  );
}

function Void({ entry: { id, what }, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('void.of', { what });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ explanation = '' }) => ({
        title,
        confirm: words.say('void'),
        done: words.say('void.done'),
        describe: () => <p>{words.say('void.done')}</p>,
        grave: true,
        call: () =>
          clientOf(business).call('POST /account_entries/{id}/void', { params: { id }, body: { explanation } }),
      })}
    >
      {(errors) => (
        <Field
          label={words.say('field.explanation')}
          hint={words.say('field.explanation.hint')}
          errors={errors('explanation')}
        >
          <input name="explanation" autoComplete="off" autoFocus />
        </Field>
      )}
    </ProposalForm>
  );
}
