/** Cash sessions that were counted and closed. They never change. */
import { amountOf, momentOf } from '../../words/times.ts';
import { Link } from '@tanstack/react-router';
import { Listed } from '../../ui/listed.tsx';
import { nameOf } from '../../app/customers.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export function Closed() {
  const { id: business, timezone } = useBusiness();
  const list = usePages('GET /counter/cash_sessions', {
    query: { is_open: false, page_size: 20 },
    fields: [
      'id',
      'payment_processor.name',
      'closed_at',
      'closed_by.first_name',
      'closed_by.last_name',
      'counted_amount',
      'difference',
      'difference_reason',
    ],
  });
  return (
    <Listed list={list} none={words.say('closed.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, payment_processor, closed_at, closed_by, counted_amount, difference, difference_reason }) => (
            <li key={id}>
              <Link to={`/${business}/counter` as string} search={{ tab: 'sales', cash_session: String(id) } as never}>
                {closed_at ? momentOf(closed_at, timezone) : ''}
              </Link>
              <span>{payment_processor?.name}</span>
              <span className="soft">{closed_by ? nameOf(closed_by) : ''}</span>
              {difference_reason ? (
                <span className="tag wrong">
                  {difference
                    ? words.say('closed.difference', { amount: amountOf(difference) })
                    : words.say('closed.differs')}
                </span>
              ) : null}
              {difference_reason ? <span className="small">{difference_reason}</span> : null}
              <span className="end">{counted_amount ? amountOf(counted_amount) : ''}</span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
