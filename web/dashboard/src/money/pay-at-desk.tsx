/** A sale to a customer at the desk: the total, the payment method, and the cash received. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { AskedOf } from 'rollcall-sdk';
import { amountOf } from '../words/times.ts';
import { clientOf } from '../app/client.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Field } from '../ui/field.tsx';
import { keyOf, problemOf, useCall } from '../app/calls.ts';
import { typedAmount } from '../app/amount.ts';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { useDeferred } from '../app/deferred.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';
import './pay-at-desk.css';

type Body = AskedOf<'POST /counter/sales', never, never>['body'];

export interface PayAtDeskProps {
  readonly customer: number;
  readonly items: Body['items'];
  /** id of the venue; null if the sale has none */
  readonly venue: number | null;
  /** false while nothing to sell is chosen */
  readonly enabled?: boolean;
  readonly title: string;
  readonly confirm: string;
  readonly done: string;
  readonly onSold: () => void;
  readonly onCancel: () => void;
  /** the items for sale */
  readonly children?: ReactNode;
}

export function PayAtDesk(props: PayAtDeskProps) {
  const { customer, items, venue, enabled = true, title, confirm, done, onSold, onCancel, children } = props;
  const { id: business } = useBusiness();
  const propose = usePropose();
  const ways = useId();
  const [paidWith, setPaidWith] = useState('');
  const [tendered, setTendered] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const processors = useCall('GET /payment_processors', {
    query: { is_enabled: true, page_size: 50 },
    fields: ['id', 'name', 'kind', 'is_cash_drawer'],
  });
  const atDesk = (processors.data?.results ?? []).filter(({ kind }) => kind === 'offline');
  const processor = atDesk.find(({ id }) => String(id) === paidWith) ?? atDesk[0];
  const given = useDeferred(typedAmount(tendered), 300);
  const bodyOf = (handed: string): Body => ({
    customer,
    items,
    ...(venue !== null && { venue }),
    payments: processor
      ? [{ payment_processor: processor.id, ...(processor.is_cash_drawer && handed !== '' && { tendered: handed }) }]
      : [],
  });
  const body = bodyOf(given);
  const preview = useQuery({
    queryKey: keyOf(business, 'POST /counter/sales', body),
    queryFn: () => clientOf(business).call('POST /counter/sales', { body }).dryRun(),
    enabled: enabled && processor !== undefined,
    staleTime: 0,
  });
  const total = preview.data?.total_amount;
  const submit = async (sent: FormEvent): Promise<void> => {
    sent.preventDefault();
    setWrong(null);
    const { made, ...rest } = await propose({
      title,
      about: total ? <p>{words.say('desk.total', { amount: amountOf(total) })}</p> : null,
      call: () => clientOf(business).call('POST /counter/sales', { body: bodyOf(typedAmount(tendered)) }),
      done,
    });
    if (made) onSold();
    else setWrong('problem' in rest ? (rest.problem?.message ?? null) : null);
  };
  if (processors.error) return <Failed error={processors.error} again={() => void processors.refetch()} />;
  if (!processors.data) return <Loading />;
  if (!processor)
    return (
      <Empty title={words.say('desk.none')}>
        <p>{words.say('desk.none.next')}</p>
      </Empty>
    );
  return (
    <form onSubmit={(sent) => void submit(sent)}>
      {children}
      <fieldset className="field ways">
        <legend>{words.say('desk.with')}</legend>
        {atDesk.map(({ id, name }) => (
          <label key={id} className="box">
            <input type="radio" name={ways} checked={id === processor.id} onChange={() => setPaidWith(String(id))} />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      {processor.is_cash_drawer ? (
        <Field label={words.say('desk.tendered')}>
          <input inputMode="decimal" value={tendered} onChange={({ target }) => setTendered(target.value)} />
        </Field>
      ) : null}
      <div role="status">
        {total ? <p className="numbers">{words.say('desk.total', { amount: amountOf(total) })}</p> : null}
        {preview.data?.change_amount && preview.data.change_amount.decimal > 0 ? (
          <p>{words.say('desk.change', { amount: amountOf(preview.data.change_amount) })}</p>
        ) : null}
      </div>
      {preview.error ? <Failed error={preview.error} again={() => void preview.refetch()} /> : null}
      {wrong && !problemOf(preview.error) ? <p className="error">{wrong}</p> : null}
      <div className="actions">
        <button type="submit" disabled={!total}>
          {confirm}
        </button>
        <button type="button" className="second" onClick={onCancel}>
          {ui.say('cancel')}
        </button>
      </div>
    </form>
  );
}
