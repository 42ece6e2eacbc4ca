/** The open charge of a person for their booking, which can be paid or waived here. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { nameOf } from '../people.ts';
import { PayAtDesk } from '../../../money/pay-at-desk.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useOnline } from '../marks/use-marks.ts';
import { words } from '../words.ts';
import type { DoorEvent, Person } from '../read.ts';

export interface OwedProps {
  readonly event: DoorEvent;
  readonly person: Person;
  readonly onChanged: () => void;
}

export function Owed({ event, person, onChanged }: OwedProps) {
  const business = useBusiness();
  const online = useOnline();
  const [doing, setDoing] = useState<'take' | 'waive' | null>(null);
  const { charge, customer } = person;
  const name = nameOf(person) || words.say('nobody');
  if (charge?.status !== 'open' || !customer) return null;
  const ended = (): void => {
    setDoing(null);
    onChanged();
  };
  if (doing === 'take')
    return (
      <PayAtDesk
        customer={customer.id}
        items={[{ account_entry: charge.id }]}
        venue={event.venue?.id ?? null}
        title={words.say('take.of', { name })}
        confirm={words.say('take')}
        done={words.say('take.done')}
        onSold={ended}
        onCancel={() => setDoing(null)}
      />
    );
  return (
    <div className="actions">
      {may(business, 'pos') ? (
        <button type="button" disabled={!online} onClick={() => setDoing('take')}>
          {words.say('take')}
        </button>
      ) : null}
      {may(business, 'customer_payments') ? (
        <button type="button" className="second" disabled={!online} onClick={() => setDoing('waive')}>
          {words.say('waive')}
        </button>
      ) : null}
      {doing === 'waive' ? <Waive charge={charge.id} name={name} onClose={ended} /> : null}
    </div>
  );
}

interface WaiveProps {
  readonly charge: number;
  readonly name: string;
  readonly onClose: () => void;
}

function Waive({ charge: id, name, onClose }: WaiveProps) {
  const { id: business } = useBusiness();
  const title = words.say('waive.of', { name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ explanation = '' }) => ({
        title,
        confirm: words.say('waive'),
        done: words.say('waive.done', { name }),
        call: () =>
          clientOf(business).call('POST /account_entries/{id}/void', { params: { id }, body: { explanation } }),
      })}
    >
      {(errors) => (
        <Field label={words.say('waive.why')} hint={words.say('waive.why.hint')} errors={errors('explanation')}>
          <input name="explanation" autoComplete="off" autoFocus />
        </Field>
      )}
    </ProposalForm>
  );
}
