/** Sells what lets somebody in: this one class, or a membership for it. Paid at the desk, in one step. */
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { amountOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { keyOf, problemOf, useCall } from '../../../app/calls.ts';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { useDeferred } from '../../../app/deferred.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { DoorEvent } from '../read.ts';
import type { Someone } from './book.tsx';

export interface SellProps {
  readonly event: DoorEvent;
  readonly someone: Someone;
  /** false: no place is free, so only a membership can be sold */
  readonly dropIn: boolean;
  /** whether the sale has booked the class too */
  readonly onSold: (isBooked: boolean) => void;
  readonly onCancel: () => void;
}

const DROP_IN = '';

export function Sell({ event, someone, dropIn, onSold, onCancel }: SellProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [wanted, setWanted] = useState(DROP_IN);
  const [paidWith, setPaidWith] = useState('');
  const [tendered, setTendered] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const memberships = useCall('GET /memberships', {
    query: {
      permits_registration_for_event: event.id,
      // Recurring plans are paid by a method on file, which the page of the customer asks for.
      type: ['pack', 'prepaid_plan'],
      for_sale: true,
      archived: false,
      is_draft: false,
      sort: ['order'],
      page_size: 50,
    },
    fields: ['id', 'name', 'price'],
  });
  const first = dropIn ? DROP_IN : String(memberships.data?.results[0]?.id ?? DROP_IN);
  const membership = wanted === DROP_IN ? first : wanted;
  const processors = useCall('GET /payment_processors', {
    query: { is_enabled: true, page_size: 50 },
    fields: ['id', 'name', 'kind', 'is_cash_drawer'],
  });
  const atDesk = (processors.data?.results ?? []).filter(({ kind }) => kind === 'offline');
  const processor = atDesk.find(({ id }) => String(id) === paidWith) ?? atDesk[0];
  const given = useDeferred(tendered.trim().replace(',', '.'), 300);
  const items = [membership === DROP_IN ? { event: event.id } : { membership: Number(membership) }];
  const bodyOf = (handed: string) => ({
    customer: someone.id,
    items,
    ...(event.venue && { venue: event.venue.id }),
    payments: processor
      ? [{ payment_processor: processor.id, ...(processor.is_cash_drawer && handed !== '' && { tendered: handed }) }]
      : [],
  });
  const body = bodyOf(given);
  const tried = useQuery({
    queryKey: keyOf(business, 'POST /counter/sales', body),
    queryFn: () => clientOf(business).call('POST /counter/sales', { body }).dryRun(),
    enabled: processor !== undefined && (dropIn || membership !== DROP_IN),
    staleTime: 0,
  });
  const total = tried.data?.total_amount;
  const submit = async (sent: FormEvent): Promise<void> => {
    sent.preventDefault();
    setWrong(null);
    const { made, ...rest } = await propose({
      title: words.say('sell.of', { name: someone.label }),
      about: total ? <p>{words.say('sell.total', { amount: amountOf(total) })}</p> : null,
      call: () => clientOf(business).call('POST /counter/sales', { body: bodyOf(tendered.trim().replace(',', '.')) }),
      done: words.say('sell.done'),
    });
    if (made) onSold(membership === DROP_IN);
    else setWrong('problem' in rest ? (rest.problem?.message ?? null) : null);
  };
  if (processors.error) return <Failed error={processors.error} again={() => void processors.refetch()} />;
  if (!processors.data) return <Loading />;
  if (!processor)
    return (
      <Empty title={words.say('sell.no_desk')}>
        <p>{words.say('sell.no_desk.next')}</p>
      </Empty>
    );
  return (
    <form onSubmit={(sent) => void submit(sent)}>
      <Field label={words.say('sell.what')}>
        <select value={membership} onChange={({ target }) => setWanted(target.value)}>
          {dropIn ? <option value={DROP_IN}>{words.say('sell.drop_in')}</option> : null}
          {(memberships.data?.results ?? []).map(({ id, name, price }) => (
            <option key={id} value={id}>
              {price ? `${name} – ${amountOf(price)}` : name}
            </option>
          ))}
        </select>
      </Field>
      <Field label={words.say('sell.with')}>
        <select value={processor.id} onChange={({ target }) => setPaidWith(target.value)}>
          {atDesk.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {processor.is_cash_drawer ? (
        <Field label={words.say('sell.tendered')}>
          <input inputMode="decimal" value={tendered} onChange={({ target }) => setTendered(target.value)} />
        </Field>
      ) : null}
      <div role="status">
        {total ? <p className="numbers">{words.say('sell.total', { amount: amountOf(total) })}</p> : null}
        {tried.data?.change_amount && tried.data.change_amount.decimal > 0 ? (
          <p>{words.say('sell.change', { amount: amountOf(tried.data.change_amount) })}</p>
        ) : null}
      </div>
      {tried.error ? <Failed error={tried.error} again={() => void tried.refetch()} /> : null}
      {wrong && !problemOf(tried.error) ? <p className="error">{wrong}</p> : null}
      <div className="actions">
        <button type="submit" disabled={!total}>
          {words.say('sell.confirm')}
        </button>
        <button type="button" className="second" onClick={onCancel}>
          {ui.say('cancel')}
        </button>
      </div>
    </form>
  );
}
