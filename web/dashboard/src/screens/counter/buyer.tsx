/** The buyer at the counter: a customer with a name, or an anonymous walk-in. */
import { amountOf } from '../../words/times.ts';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { added, type Cart } from './cart.ts';
import { PersonCard } from '../../person/card.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { CartProps } from './lines.tsx';

export function Whom({ cart, onChange }: CartProps) {
  const { customer } = cart;
  if (customer)
    return (
      <>
        <p className="counter-whom">
          <strong>{customer.label}</strong>
          <button type="button" className="plain" onClick={() => onChange(ofNobody)}>
            {words.say('whom.nobody')}
          </button>
        </p>
        <PersonCard id={customer.id} acts={false} headed />
        <Owed key={customer.id} customer={customer.id} cart={cart} onChange={onChange} />
      </>
    );
  return (
    <div className="field">
      <label htmlFor="counter-whom">{words.say('whom')}</label>
      <p className="hint">{words.say('whom.hint')}</p>
      <FindCustomer
        id="counter-whom"
        label={words.say('whom')}
        onChoose={({ id, label }) => onChange((cart) => ({ ...cart, customer: { id, label } }))}
      />
    </div>
  );
}

/** Removes the customer from the cart, along with the lines for their charges. */
const ofNobody = (cart: Cart): Cart => ({
  ...cart,
  customer: null,
  credit: false,
  lines: cart.lines.filter(({ item }) => !('account_entry' in item)),
});

/** The customer's open charges that are not in the cart yet. */
function Owed({ customer, cart, onChange }: CartProps & { readonly customer: number }) {
  const owed = useCall('GET /account_entries', {
    query: { customer: [customer], kind: ['charge'], status: ['open'], sort: ['due_date'], page_size: 50 },
    fields: ['id', 'amount', 'explanation'],
  });
  const taken = new Set(cart.lines.flatMap(({ item }) => ('account_entry' in item ? item.account_entry : [])));
  const left = (owed.data?.results ?? []).filter(({ id }) => !taken.has(id));
  if (left.length === 0) return null;
  return (
    <ul className="rows" aria-label={words.say('owed')}>
      {left.map(({ id, amount, explanation }) => {
        const label = explanation ?? words.say('owed.charge');
        const price = amount ? amountOf(amount) : '';
        return (
          <li key={id}>
            <span>{words.say('owed.for', { what: label })}</span>
            <span className="end">{price}</span>
            <RowButton
              text={words.say('owed.add')}
              about={label}
              onClick={() => onChange((now) => added(now, { label, price, item: { account_entry: id } }))}
            />
          </li>
        );
      })}
    </ul>
  );
}
