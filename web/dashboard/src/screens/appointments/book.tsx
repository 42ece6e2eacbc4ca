/** Books a free time for a customer; a time that no membership covers is sold at the desk. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { PayAtDesk } from '../../money/pay-at-desk.tsx';
import { ProposalFields } from '../../changes/proposal-form.tsx';
import { readAgain } from '../../app/calls.ts';
import { timeOfSlot } from './labels.ts';
import { words } from './words.ts';
import type { Offered } from './offered.ts';
import type { Slot } from './slots.ts';

export interface BookSlotProps {
  readonly slot: Slot;
  readonly offering: Offered;
  readonly onDone: () => void;
}

/** Refusals of a time that is no longer free. */
const GONE: ReadonlySet<string> = new Set(['slot_taken', 'slot_expired']);

const ITEM = { appointment: 'appointment_slot', room_rental: 'room_rental_slot' } as const;

export function BookSlot({ slot, offering, onDone }: BookSlotProps) {
  const business = useBusiness();
  const [someone, setSomeone] = useState<{ readonly id: number; readonly label: string } | null>(null);
  const [selling, setSelling] = useState(false);
  if (!someone)
    return (
      <>
        <label htmlFor="slot-customer">{words.say('for')}</label>
        <FindCustomer id="slot-customer" label={words.say('for')} onChoose={setSomeone} autoFocus />
      </>
    );
  const { id: customer, label: name } = someone;
  if (selling)
    return (
      <PayAtDesk
        customer={customer}
        items={[{ [ITEM[offering.kind]]: slot.id }]}
        venue={slot.venue?.id ?? null}
        title={words.say('sell.to', { name })}
        confirm={words.say('sell')}
        done={words.say('book.done', { name })}
        onSold={onDone}
        onCancel={() => setSelling(false)}
      />
    );
  return (
    <ProposalFields
      onMade={onDone}
      submit={words.say('book.of', { name })}
      proposal={({ comped }) => ({
        title: words.say('book.of', { name }),
        confirm: words.say('book'),
        done: words.say('book.done', { name }),
        about: <p>{timeOfSlot(slot)}</p>,
        call: () =>
          clientOf(business.id).call('POST /slots/{id}/register', {
            params: { id: slot.id },
            body: { customer, comped: comped !== undefined },
          }),
      })}
      next={({ code }) =>
        GONE.has(code) ? (
          <button
            type="button"
            className="second"
            onClick={() => {
              readAgain();
              onDone();
            }}
          >
            {words.say('book.again')}
          </button>
        ) : null
      }
      actions={
        <>
          {may(business, 'pos') && slot.price ? (
            <button type="button" className="second" onClick={() => setSelling(true)}>
              {words.say('sell')}
            </button>
          ) : null}
          <button type="button" className="plain" onClick={() => setSomeone(null)}>
            {words.say('for.other')}
          </button>
        </>
      }
    >
      {(errors) => (
        <>
          <label className="box">
            <input type="checkbox" name="comped" /> {words.say('comped')}
          </label>
          {errors('comped').map((said) => (
            <p key={said} className="error">
              {said}
            </p>
          ))}
        </>
      )}
    </ProposalFields>
  );
}
