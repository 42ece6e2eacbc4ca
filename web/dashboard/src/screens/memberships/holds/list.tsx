/** Current and future holds: changing them individually or together, ending them, and their credits and charges. */
import { useState } from 'react';
import { calendarDayOf } from '../../../words/times.ts';
import { ChangeHolds } from './change-many.tsx';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../../ui/filters.tsx';
import { clientOf } from '../../../app/client.ts';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { EditHold } from './edit.tsx';
import { holdName, useHolds, WHICH, type HoldRead } from './read.ts';
import { Listed } from '../../../ui/listed.tsx';
import { nameOf } from '../../../app/customers.ts';
import { PaymentOf } from './payment.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';

export function Holds() {
  const [address] = useAddress();
  const which = WHICH.find((one) => one === address.which) ?? 'open';
  const list = useHolds(which, Number(address.customer) || null);
  const [chosen, setChosen] = useState<ReadonlyMap<number, HoldRead>>(new Map());
  const [isChanging, setIsChanging] = useState(false);
  const turn = (hold: HoldRead, on: boolean): void =>
    setChosen((before) => {
      const next = new Map(before);
      if (on) next.set(hold.id, hold);
      else next.delete(hold.id);
      return next;
    });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="which"
          label={words.say('show')}
          choices={WHICH.map((one) => [one, words.say(`holds.${one}`)])}
        />
        <CustomerFilter name="customer" label={words.say('customer')} />
        <ClearFilters names={['which', 'customer']} />
      </div>
      {chosen.size > 0 ? (
        <div className="actions">
          <button type="button" onClick={() => setIsChanging(true)}>
            {words.say('holds.change', { n: chosen.size })}
          </button>
          <button type="button" className="second" onClick={() => setChosen(new Map())}>
            {words.say('holds.choose_none')}
          </button>
        </div>
      ) : null}
      <Listed list={list} none={words.say(which === 'open' ? 'holds.none' : 'holds.no_match')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.holds')}>
            {all.map((hold) => (
              <Row key={hold.id} hold={hold} isChosen={chosen.has(hold.id)} onChoose={(on) => turn(hold, on)} />
            ))}
          </ul>
        )}
      </Listed>
      {isChanging ? (
        <ChangeHolds
          holds={[...chosen.values()]}
          onClose={() => {
            setIsChanging(false);
            setChosen(new Map());
          }}
        />
      ) : null}
    </>
  );
}

interface RowProps {
  readonly hold: HoldRead;
  readonly isChosen: boolean;
  readonly onChoose: (on: boolean) => void;
}

function Row({ hold, isChosen, onChoose }: RowProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<'edit' | 'payment' | null>(null);
  const { status, start_date: from, end_date: to, customer_membership: owned } = hold;
  const name = holdName(hold);
  const isOpen = status !== 'ended';
  const end = (): void =>
    void propose({
      title: words.say('hold.end.of', { name }),
      confirm: words.say('hold.end'),
      done: words.say('hold.is_over', { name }),
      call: () =>
        clientOf(business).call('POST /customer_membership_holds/{id}/end', { params: { id: hold.id }, body: {} }),
    });
  return (
    <li>
      {isOpen ? (
        <label className="tick">
          <input
            type="checkbox"
            aria-label={words.say('hold.choose', { name })}
            checked={isChosen}
            onChange={({ target }) => onChoose(target.checked)}
          />
        </label>
      ) : null}
      {owned?.customer ? <CustomerLink id={owned.customer.id} name={nameOf(owned.customer)} /> : null}
      <span>{owned?.name}</span>
      <span>
        {to === null
          ? words.say('hold.from', { from: calendarDayOf(from) })
          : words.say('hold.between', { from: calendarDayOf(from), to: calendarDayOf(to) })}
      </span>
      <span className={status === 'active' ? 'tag good' : 'tag'}>{words.say(`hold.${status}`)}</span>
      <span className="soft small">{words.say(`hold.by.${hold.made_by}`)}</span>
      <span className="end row-actions">
        <RowButton text={words.say('hold.payment')} about={name} onClick={() => setDoing('payment')} />
        {isOpen ? (
          <>
            <RowButton text={words.say('edit')} about={name} onClick={() => setDoing('edit')} />
            <RowButton text={words.say('hold.end')} about={name} onClick={end} />
          </>
        ) : null}
      </span>
      {doing === 'edit' ? <EditHold hold={hold} onClose={() => setDoing(null)} /> : null}
      {doing === 'payment' ? <PaymentOf hold={hold} onClose={() => setDoing(null)} /> : null}
    </li>
  );
}
