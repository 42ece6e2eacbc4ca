/** Referrals: who referred whom, the rewards of both, and the reasons. */
import { useState } from 'react';
import { amountOf, momentOf } from '../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../ui/filters.tsx';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Listed } from '../../ui/listed.tsx';
import { nameOf } from '../../app/customers.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATES = ['pending', 'confirmed', 'cancelled'] as const;
const LOOKS = { pending: 'tag', confirmed: 'tag good', cancelled: 'tag wrong' } as const;

export function Referrals() {
  const business = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const [shown, setShown] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const status = STATES.find((one) => one === address.status);
  const [referrer, customer] = [Number(address.referrer), Number(address.customer)];
  const list = usePages(
    'GET /referrals',
    {
      query: {
        ...(status && { status: [status] }),
        ...(referrer > 0 && { referrer: [referrer] }),
        ...(customer > 0 && { customer: [customer] }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: [
        'id',
        'status',
        'created_at',
        'referrer_credit',
        'customer_credit',
        'referrer.id',
        'referrer.first_name',
        'referrer.last_name',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
      ],
    },
    { keep: true },
  );
  const end = (id: number, how: 'confirm' | 'cancel', name: string): void =>
    void propose({
      title: words.say(`referral.${how}.of`, { name }),
      confirm: words.say(`referral.${how}`),
      done: words.say(`referral.${how}.done`),
      grave: how === 'cancel',
      call: () =>
        how === 'confirm'
          ? clientOf(business.id).call('POST /referrals/{id}/confirm', { params: { id } })
          : clientOf(business.id).call('POST /referrals/{id}/cancel', { params: { id } }),
    });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="status"
          label={words.say('filter.status')}
          any={words.say('any')}
          choices={STATES.map((one) => [one, words.say(`referral.${one}`)])}
        />
        <CustomerFilter name="referrer" label={words.say('referral.referrer')} />
        <CustomerFilter name="customer" label={words.say('referral.customer')} />
        <ClearFilters names={['status', 'referrer', 'customer']} />
      </div>
      <Listed list={list} none={words.say('referrals.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.referrals')}>
            {all.map((one) => {
              const name = one.customer ? nameOf(one.customer) : '';
              return (
                <li key={one.id}>
                  <span>{momentOf(one.created_at, business.timezone)}</span>
                  {one.referrer ? <CustomerLink id={one.referrer.id} name={nameOf(one.referrer)} /> : null}
                  <span className="soft">{words.say('referral.brought')}</span>
                  {one.customer ? <CustomerLink id={one.customer.id} name={name} /> : null}
                  <span className={LOOKS[one.status]}>{words.say(`referral.${one.status}`)}</span>
                  <span className="end">
                    {one.status === 'confirmed' && one.referrer_credit && one.customer_credit
                      ? words.say('referral.credits', {
                          referrer: amountOf(one.referrer_credit),
                          customer: amountOf(one.customer_credit),
                        })
                      : null}
                  </span>
                  <RowButton
                    text={words.say('referral.why')}
                    about={name}
                    onClick={() => setShown({ id: one.id, name })}
                  />
                  {one.status === 'pending' ? (
                    <>
                      <RowButton
                        text={words.say('referral.confirm')}
                        about={name}
                        onClick={() => end(one.id, 'confirm', name)}
                      />
                      <RowButton
                        text={words.say('referral.cancel')}
                        about={name}
                        onClick={() => end(one.id, 'cancel', name)}
                      />
                    </>
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {shown ? <Why {...shown} onClose={() => setShown(null)} /> : null}
    </>
  );
}

interface WhyProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

function Why({ id, name, onClose }: WhyProps) {
  const found = useCall('GET /referrals/{id}/explain', { params: { id } });
  return (
    <Dialog title={words.say('referral.of', { name })} onClose={onClose} side>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data?.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Dialog>
  );
}
