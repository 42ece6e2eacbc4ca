/** Sold gift cards: sending, reprinting and redeeming them; and their settings. */
import { useState } from 'react';
import { amountOf, calendarDayOf } from '../../words/times.ts';
import { CardForm, RedeemCard } from './card-forms.tsx';
import { CardSettings } from './card-settings.tsx';
import { clientOf } from '../../app/client.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Listed } from '../../ui/listed.tsx';
import { maySeeCustomers, nameOf } from '../../app/customers.ts';
import { printPage } from '../../app/print.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATUSES = ['scheduled', 'delivered', 'redeemed', 'expired', 'voided'] as const;

const FIELDS = [
  'id',
  'amount',
  'status',
  'delivery_status',
  'delivery_help',
  'recipient_name',
  'recipient_email',
  'message',
  'deliver_on_date',
  'is_delivered',
  'redeem_by',
  'purchaser.first_name',
  'purchaser.last_name',
  'redeemed_by.first_name',
  'redeemed_by.last_name',
] as const;

function useCards(status: (typeof STATUSES)[number] | undefined) {
  return usePages('GET /gift_cards', {
    query: { ...(status && { status: [status] }), sort: ['-id'], page_size: 30 },
    fields: FIELDS,
  });
}

export type Card = NonNullable<ReturnType<typeof useCards>['data']>['pages'][number]['results'][number];

export function GiftCards() {
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const list = useCards(status);
  return (
    <>
      <CardSettings />
      <h2>{words.say('cards.sold')}</h2>
      <div className="tools" role="search" aria-label={words.say('cards.filter')}>
        <ChoiceFilter
          name="status"
          label={words.say('orders.status')}
          any={words.say('cards.any')}
          choices={STATUSES.map((one) => [one, words.say(`card.${one}`)])}
        />
      </div>
      <Listed list={list} none={words.say(status ? 'cards.none' : 'cards.first')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map((card) => (
              <CardRow key={card.id} card={card} />
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

function CardRow({ card }: { readonly card: Card }) {
  const at = useBusiness();
  const { id: business } = at;
  const propose = usePropose();
  const [doing, setDoing] = useState<'edit' | 'redeem' | null>(null);
  const { id, amount, status, delivery_status: delivery } = card;
  const whom = card.recipient_name || card.recipient_email || words.say('card.bearer');
  const name = words.say('card.of', { amount: amountOf(amount), name: whom });
  const isOpen = status === 'scheduled' || status === 'delivered';
  const params = { id };
  const send = (): void =>
    void propose({
      title: words.say('card.send.of', { name }),
      confirm: words.say('card.send'),
      done: words.say('card.sent'),
      call: () => clientOf(business).call('POST /gift_cards/{id}/deliver', { params }),
    });
  const print = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('card.print.of', { name }),
      confirm: words.say('card.print'),
      announced: ['gift_card_printed'],
      done: words.say('card.printed'),
      call: () => clientOf(business).call('POST /gift_cards/{id}/print', { params }),
    });
    if (outcome.made && outcome.answer.page !== null) printPage(outcome.answer.page);
  };
  const action = (text: Parameters<typeof words.say>[0], act: () => void) => (
    <button
      type="button"
      className="plain"
      aria-label={words.say('do.of', { what: words.say(text), name })}
      onClick={act}
    >
      {words.say(text)}
    </button>
  );
  return (
    <li>
      <strong>{amountOf(amount)}</strong>
      <span>{whom}</span>
      <span className={status === 'delivered' ? 'tag good' : 'tag'}>{words.say(`card.${status}`)}</span>
      {isOpen && delivery === 'failed' ? <span className="tag wrong">{words.say('card.failed')}</span> : null}
      <span className="soft small">
        {[
          card.purchaser && words.say('card.bought', { name: nameOf(card.purchaser) }),
          card.redeemed_by && words.say('card.credited', { name: nameOf(card.redeemed_by) }),
          status === 'scheduled' && card.recipient_email && calendarDayOf(card.deliver_on_date),
          card.redeem_by && isOpen && words.say('card.until', { day: calendarDayOf(card.redeem_by.slice(0, 10)) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {isOpen ? (
        <span className="end store-actions">
          {card.recipient_email ? action('card.send', send) : action('card.print', () => void print())}
          {action('edit', () => setDoing('edit'))}
          {maySeeCustomers(at) ? action('card.redeem', () => setDoing('redeem')) : null}
        </span>
      ) : null}
      {isOpen && card.delivery_help ? <p className="store-help">{card.delivery_help}</p> : null}
      {doing === 'edit' ? <CardForm card={card} name={name} onClose={() => setDoing(null)} /> : null}
      {doing === 'redeem' ? <RedeemCard card={card} name={name} onClose={() => setDoing(null)} /> : null}
    </li>
  );
}
