/** Filters of a list, whose values are stored in the address. */
import './filters.css';
import { useId } from 'react';
import { FindCustomer } from './find-customer.tsx';
import { may, useBusiness } from '../app/business.ts';
import { nameOf } from '../app/customers.ts';
import { ui } from './words.ts';
import { useAddress } from '../app/address.ts';
import { useCall } from '../app/calls.ts';

interface FilterProps {
  /** name of the parameter in the address */
  readonly name: string;
  readonly label: string;
}

export interface ChoiceFilterProps extends FilterProps {
  /** label for no choice; absent: the first choice is the default */
  readonly any?: string;
  readonly choices: readonly (readonly [value: string, said: string])[];
}

export function ChoiceFilter({ name, label, any, choices }: ChoiceFilterProps) {
  const [address, change] = useAddress();
  const value = address[name] ?? '';
  return (
    <label>
      {label}
      <select
        value={any === undefined && value === choices[0]?.[0] ? '' : value}
        onChange={(event) => change({ [name]: event.target.value })}
      >
        {any === undefined ? null : <option value="">{any}</option>}
        {choices.map(([value, said], n) => (
          <option key={value} value={any === undefined && n === 0 ? '' : value}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A date filter. `usual`: the default if the address has no value */
export function DayFilter({ name, label, usual = '' }: FilterProps & { readonly usual?: string }) {
  const [address, change] = useAddress();
  return (
    <label>
      {label}
      <input type="date" value={address[name] ?? usual} onChange={(event) => change({ [name]: event.target.value })} />
    </label>
  );
}

export interface TextFilterProps extends FilterProps {
  readonly type?: 'text' | 'date' | 'datetime-local';
}

/** A text filter; updates the address when the field loses the focus, or on Enter. */
export function TextFilter({ name, label, type = 'text' }: TextFilterProps) {
  const [address, change] = useAddress();
  const known = address[name] ?? '';
  const put = (text: string): void => {
    if (text !== known) change({ [name]: text });
  };
  return (
    <label>
      {label}
      <input
        key={known}
        type={type}
        defaultValue={known}
        onBlur={(event) => put(event.target.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && put(event.currentTarget.value.trim())}
      />
    </label>
  );
}

/** A filter for one customer, by id. Hidden from staff who can't search customers. */
export function CustomerFilter({ name, label }: FilterProps) {
  const business = useBusiness();
  const [address, change] = useAddress();
  const id = useId();
  const chosen = Number(address[name]) || null;
  const mayFind = may(business, 'customers', 'attendances', 'instructor_attendances', 'pos');
  const found = useCall(
    'GET /customers/{id}',
    { params: { id: chosen ?? 0 }, fields: ['id', 'first_name', 'last_name'] },
    { enabled: mayFind && chosen !== null },
  );
  if (!mayFind) return null;
  if (chosen !== null)
    return (
      <div className="chosen">
        <span className="label">{label}</span>
        <button type="button" className="second" onClick={() => change({ [name]: undefined })}>
          {found.data ? nameOf(found.data) : `#${chosen}`} <span aria-hidden="true">×</span>
          <span className="unseen">{ui.say('clear')}</span>
        </button>
      </div>
    );
  return (
    <div className="find">
      <label htmlFor={id}>{label}</label>
      <FindCustomer id={id} label={label} onChoose={(one) => change({ [name]: String(one.id) })} />
    </div>
  );
}

/** Removes these filters from the address; shown only if one is set. */
export function ClearFilters({ names }: { readonly names: readonly string[] }) {
  const [address, change] = useAddress();
  if (!names.some((name) => address[name])) return null;
  return (
    <button
      type="button"
      className="plain"
      onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
    >
      {ui.say('clear')}
    </button>
  );
}
