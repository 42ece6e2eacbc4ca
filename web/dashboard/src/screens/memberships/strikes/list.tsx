/** Late cancellations and absences that count as strikes: their customers and consequences, and forgiving them. */
import { useState } from 'react';
import { calendarDayOf, dateAt, dayOf } from '../../../words/times.ts';
import { ChoiceFilter, ClearFilters, CustomerFilter } from '../../../ui/filters.tsx';
import { clientOf } from '../../../app/client.ts';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { Field } from '../../../ui/field.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { nameOf } from '../../../app/customers.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from '../words.ts';

const STATUSES = [
  'open',
  'in_penalty_sequence',
  'upcoming_charge',
  'charged',
  'charge_skipped',
  'expired',
  'voided',
] as const;
const INFRACTIONS = ['late_cancel', 'no_show'] as const;

/** Statuses without a permanent consequence. */
const FORGIVABLE: ReadonlySet<string> = new Set(['open', 'in_penalty_sequence', 'upcoming_charge']);

interface Wanted {
  readonly status: (typeof STATUSES)[number] | undefined;
  readonly type: (typeof INFRACTIONS)[number] | undefined;
  readonly customer: number | null;
}

const useStrikes = ({ status, type, customer }: Wanted) =>
  usePages(
    'GET /membership_strikes',
    {
      query: {
        ...(status && { status: [status] }),
        ...(type && { type: [type] }),
        ...(customer !== null && { customer: [customer] }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: [
        'id',
        'type',
        'status',
        'rule',
        'sequence_position',
        'expires_at',
        'note',
        'customer.id',
        'customer.first_name',
        'customer.last_name',
        'customer_membership.name',
        'event.name',
        'event.starts_at',
        'event.timezone',
      ],
    },
    { keep: true },
  );

type Strike = NonNullable<ReturnType<typeof useStrikes>['data']>['pages'][number]['results'][number];

export function Strikes() {
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const type = INFRACTIONS.find((one) => one === address.type);
  const list = useStrikes({ status, type, customer: Number(address.customer) || null });
  const isNarrow = Boolean(status || type || address.customer);
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="status"
          label={words.say('status')}
          any={words.say('any')}
          choices={STATUSES.map((one) => [one, words.say(`strike.${one}`)])}
        />
        <ChoiceFilter
          name="type"
          label={words.say('type')}
          any={words.say('any')}
          choices={INFRACTIONS.map((one) => [one, words.say(`infraction.${one}`)])}
        />
        <CustomerFilter name="customer" label={words.say('customer')} />
        <ClearFilters names={['status', 'type', 'customer']} />
      </div>
      <Listed list={list} none={words.say(isNarrow ? 'strikes.no_match' : 'strikes.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.strikes')}>
            {all.map((strike) => (
              <Row key={strike.id} strike={strike} />
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

/** Returns for example `Late cancellation of Ada Lane`. */
const titleOf = ({ type, customer }: Strike): string =>
  words.say('strike.of', {
    what: words.say(`infraction.${type}`),
    name: customer ? nameOf(customer) : '',
  });

function Row({ strike }: { readonly strike: Strike }) {
  const { timezone } = useBusiness();
  const [isForgiving, setIsForgiving] = useState(false);
  const { customer, event, rule, status, sequence_position: position } = strike;
  return (
    <li>
      {customer ? <CustomerLink id={customer.id} name={nameOf(customer)} /> : null}
      <strong>{words.say(`infraction.${strike.type}`)}</strong>
      <span className={status === 'charged' || status === 'upcoming_charge' ? 'tag wrong' : 'tag'}>
        {words.say(`strike.${status}`)}
      </span>
      <span>{event ? `${event.name}, ${dayOf(event.starts_at, event.timezone)}` : null}</span>
      <span className="soft small">
        {[
          strike.customer_membership?.name,
          rule && position !== null && words.say('strike.number', { n: position, free: rule.max_infractions }),
          status === 'open' && words.say('strike.until', { day: calendarDayOf(dateAt(strike.expires_at, timezone)) }),
          strike.note,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {FORGIVABLE.has(status) ? (
        <span className="end">
          <RowButton text={words.say('forgive')} about={titleOf(strike)} onClick={() => setIsForgiving(true)} />
        </span>
      ) : null}
      {isForgiving ? <Forgive strike={strike} onClose={() => setIsForgiving(false)} /> : null}
    </li>
  );
}

function Forgive({ strike, onClose }: { readonly strike: Strike; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('forgive.of', { what: titleOf(strike) });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ note }) => ({
        title,
        confirm: words.say('forgive'),
        done: words.say('forgiven'),
        call: () =>
          clientOf(business).call('POST /membership_strikes/{id}/forgive', {
            params: { id: strike.id },
            body: { note: note || null },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('forgive.about')}</p>
          <Field label={words.say('forgive.note')} hint={words.say('forgive.note.hint')} errors={errors('note')}>
            <textarea name="note" rows={3} maxLength={500} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
