/** The consequences of strikes: penalties, their rules, and the messages about them. */
import { Link } from '@tanstack/react-router';
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { ChoiceFilter, ClearFilters } from '../../../ui/filters.tsx';
import { clientOf } from '../../../app/client.ts';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Listed, None } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { Messages } from './messages.tsx';
import { nameOf } from '../../../app/customers.ts';
import { RowButton } from '../../../ui/row-button.tsx';
import { useAddress } from '../../../app/address.ts';
import { usePages } from '../../../app/pages.ts';
import { useSystems } from './systems.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';

const STATUSES = ['upcoming_charge', 'charged', 'charge_skipped', 'voided'] as const;

const saidOf = (status: (typeof STATUSES)[number]): string =>
  status === 'voided' ? words.say('penalty.voided') : words.say(`strike.${status}`);

export function Penalties() {
  const business = useBusiness();
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const list = usePages(
    'GET /membership_penalties',
    {
      query: { ...(status && { status: [status] }), sort: ['-due_date', '-id'], page_size: 50 },
      fields: [
        'id',
        'status',
        'amount',
        'due_date',
        'rule',
        'applies_to',
        'customer_membership.name',
        'customer_membership.customer.id',
        'customer_membership.customer.first_name',
        'customer_membership.customer.last_name',
      ],
    },
    { keep: true },
  );
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="status"
          label={words.say('status')}
          any={words.say('any')}
          choices={STATUSES.map((one) => [one, saidOf(one)])}
        />
        <ClearFilters names={['status']} />
      </div>
      <Listed list={list} none={words.say(status ? 'penalties.no_match' : 'penalties.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.penalties')}>
            {all.map(({ id, amount, due_date, rule, applies_to, customer_membership: owned, ...one }) => (
              <li key={id}>
                {owned?.customer ? <CustomerLink id={owned.customer.id} name={nameOf(owned.customer)} /> : null}
                <span>{owned?.name}</span>
                <span className={one.status === 'voided' || one.status === 'charge_skipped' ? 'tag' : 'tag wrong'}>
                  {saidOf(one.status)}
                </span>
                <span className="soft small">
                  {rule ? words.say(`penalty.${applies_to}`, { free: rule.max_infractions, days: rule.days }) : null}
                </span>
                <span className="end soft small">{calendarDayOf(due_date)}</span>
                <span className="amount">{amount ? amountOf(amount) : null}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {may(business, 'super_admin') ? (
        <>
          <Systems />
          <Messages />
        </>
      ) : null}
    </>
  );
}

function Systems() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data, error, refetch } = useSystems();
  const voidPending = (id: number, name: string): void =>
    void propose({
      title: words.say('void.of', { name }),
      confirm: words.say('void'),
      done: words.say('void.done', { name }),
      grave: true,
      about: <p>{words.say('void.about')}</p>,
      call: () =>
        clientOf(business).call('POST /membership_penalty_systems/{id}/void_pending', { params: { id }, body: {} }),
    });
  return (
    <section aria-label={words.say('systems')}>
      <h3>{words.say('systems')}</h3>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data?.results.length === 0 ? <None text={words.say('systems.none')} /> : null}
      <ul className="rows">
        {data?.results.map(({ id, name, status }) => (
          <li key={id}>
            <strong>{name}</strong>
            {status === 'archived' ? <span className="tag">{words.say('state.archived')}</span> : null}
            <span className="end">
              <RowButton text={words.say('void')} about={name} onClick={() => voidPending(id, name)} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Link to={`/${business}/settings/memberships` as string}>{words.say('systems.settings')}</Link>
      </p>
    </section>
  );
}
