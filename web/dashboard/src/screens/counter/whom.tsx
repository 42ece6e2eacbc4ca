/** Who buys: somebody with a name, or whoever walks in. */
import { Link } from '@tanstack/react-router';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { CartProps } from './lines.tsx';

export function Whom({ cart: { customer }, onChange }: CartProps) {
  const { id: business } = useBusiness();
  if (customer)
    return (
      <p className="counter-whom">
        <Link to={`/${business}/people/${customer.id}` as string}>{customer.label}</Link>
        <button
          type="button"
          className="plain"
          onClick={() => onChange((cart) => ({ ...cart, customer: null, credit: false }))}
        >
          {words.say('whom.nobody')}
        </button>
      </p>
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
