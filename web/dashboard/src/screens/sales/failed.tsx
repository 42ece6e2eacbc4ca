/** Actions for failed payments: remind, ask for another card, or try again; for one invoice or for several. */
import { useState } from 'react';
import type { Call, ItemOf } from 'rollcall-sdk';
import { amountOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Many } from '../../changes/many.tsx';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export const FAILED = ['failed', 'retrying', 'retry_failed'] as const;

export type FailedInvoice = Pick<
  ItemOf<'GET /invoices', 'id' | 'number' | 'status' | 'outstanding_amount' | 'payer.id' | 'payer.name'>,
  'id' | 'number' | 'status' | 'outstanding_amount' | 'payer'
>;

export const hasFailed = ({ status }: Pick<FailedInvoice, 'status'>): boolean =>
  (FAILED as readonly string[]).includes(status);

const ACTIONS = ['remind', 'request_payment_method', 'retry'] as const;
type Action = (typeof ACTIONS)[number];

/** The effects that the buttons name. */
const ANNOUNCED: Readonly<Record<Action, readonly string[]>> = {
  remind: ['message_sent', 'invoice.reminded'],
  request_payment_method: ['message_sent', 'invoice.payment_method_requested'],
  retry: ['invoice.retried'],
};

/** Reminding is for the people at the desk too; the others are for those who manage payments. */
const allowed = (business: Business): readonly Action[] =>
  ACTIONS.filter((action) => may(business, 'customer_payments', ...(action === 'remind' ? (['pos'] as const) : [])));

function callOf(business: number, action: Action, id: number): Call<unknown, any, any, true> {
  const client = clientOf(business);
  const asked = { params: { id }, body: {} };
  if (action === 'remind') return client.call('POST /invoices/{id}/remind', asked);
  if (action === 'retry') return client.call('POST /invoices/{id}/retry', asked);
  return client.call('POST /invoices/{id}/request_payment_method', asked);
}

export function FailedActions({ invoice }: { readonly invoice: FailedInvoice }) {
  const business = useBusiness();
  const propose = usePropose();
  const { id, number, outstanding_amount: left, payer } = invoice;
  const name = payer?.name ?? number;
  const textOf = (action: Action): string =>
    action === 'retry' ? words.say('fail.retry', { amount: left ? amountOf(left) : '' }) : words.say(`fail.${action}`);
  return (
    <div className="whole row-actions">
      {allowed(business).map((action) => (
        <RowButton
          key={action}
          text={textOf(action)}
          about={`${name}, ${number}`}
          onClick={() =>
            void propose({
              title: `${textOf(action)}: ${name}`,
              announced: ANNOUNCED[action],
              done: words.say(`fail.${action}.done`, { name }),
              call: () => callOf(business.id, action, id),
            })
          }
        />
      ))}
    </div>
  );
}

export interface FailedChosenProps {
  readonly all: readonly FailedInvoice[];
  readonly chosen: ReadonlySet<number>;
  readonly onChosen: (ids: ReadonlySet<number>) => void;
}

/** The actions for all invoices that are chosen. */
export function FailedChosen({ all, chosen, onChosen }: FailedChosenProps) {
  const business = useBusiness();
  const [doing, setDoing] = useState<Action | null>(null);
  const actions = allowed(business);
  if (all.length === 0 || actions.length === 0) return null;
  const wanted = all.filter(({ id }) => chosen.has(id));
  return (
    <div className="tools" role="group" aria-label={words.say('fail.chosen', { n: wanted.length })}>
      {all.length > 1 ? (
        <button
          type="button"
          className="second"
          onClick={() => onChosen(new Set(wanted.length === all.length ? [] : all.map(({ id }) => id)))}
        >
          {words.say(wanted.length === all.length ? 'fail.none' : 'fail.all', { n: all.length })}
        </button>
      ) : null}
      {wanted.length > 0
        ? actions.map((action) => (
            <button key={action} type="button" onClick={() => setDoing(action)}>
              {words.say(`fail.${action}.n`, { n: wanted.length })}
            </button>
          ))
        : null}
      {doing ? (
        <Many
          title={words.say(`fail.${doing}.n`, { n: wanted.length })}
          all={wanted.map(({ id, number, payer }) => ({
            key: id,
            label: [payer?.name, number].filter(Boolean).join(', '),
            call: () => callOf(business.id, doing, id),
          }))}
          onClose={() => setDoing(null)}
        />
      ) : null}
    </div>
  );
}
