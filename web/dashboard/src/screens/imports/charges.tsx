/** The charges of imported memberships, and those that wait until somebody approves that they are billed. */
import { amountOf, calendarDayOf } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { nameOf } from '../../app/customers.ts';
import { Listed } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Import } from './import.ts';

/** Returns the charges of several files by day. */
function chargesOf(files: readonly Import[]): { date: string; count: number; amount: number }[] {
  const days = new Map<string, { date: string; count: number; amount: number }>();
  for (const { date, count, amount } of files.flatMap(({ charges }) => charges)) {
    const before = days.get(date) ?? { date, count: 0, amount: 0 };
    days.set(date, { date, count: before.count + count, amount: before.amount + Number(amount) });
  }
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Lists what files would charge in the next days, by the last check. */
export function Charges({ files }: { readonly files: readonly Import[] }) {
  const { currency } = useBusiness();
  const charges = chargesOf(files);
  if (charges.length === 0) return null;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">{words.say('charges')}</h2>
      <p className="soft">{words.say('charges.hint')}</p>
      <ul className="rows">
        {charges.map(({ date, count, amount }) => (
          <li key={date}>
            <span className="what">
              {calendarDayOf(date)}
              <br />
              <span className="soft small">{words.say('charges.of', { n: count })}</span>
            </span>
            <strong className="end">{amountOf({ decimal: amount, iso_currency_code: currency })}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists the imported plans that are not billed yet, with one button that approves all of them. */
export function Waiting() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /customer_memberships', {
    query: { awaits_approval: true, status: ['active', 'hold'], page_size: 20 },
    fields: [
      'id',
      'name',
      'first_charge_date',
      'billed_price',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  const approve = (): void =>
    void propose({
      title: words.say('approve'),
      done: words.say('approve.done'),
      about: <p>{words.say('approve.about')}</p>,
      call: () => clientOf(business).call('POST /customer_memberships/approve_renewals', { body: {} }),
    });
  if (!list.data || list.data.pages[0]?.results.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="card">
      <h2 id="waiting">{words.say('waiting')}</h2>
      <p>{words.say('waiting.hint')}</p>
      <Listed list={list} none={words.say('none')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, name, customer, first_charge_date: day, billed_price: price }) => (
              <li key={id}>
                <span className="what">
                  {customer ? <CustomerLink id={customer.id} name={nameOf(customer)} /> : null}
                  <br />
                  <span className="soft small">{name}</span>
                </span>
                <span className="end">
                  {day && price
                    ? words.say('waiting.first', { day: calendarDayOf(day), amount: amountOf(price) })
                    : words.say('waiting.never')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <div className="actions">
        <button type="button" onClick={approve}>
          {words.say('approve')}
        </button>
      </div>
    </section>
  );
}
