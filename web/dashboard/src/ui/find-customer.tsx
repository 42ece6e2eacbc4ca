/** Finds a customer by name, email address or telephone number. */
import { useState } from 'react';
import { Combobox, type Choice } from './combobox.tsx';
import { useCustomers } from '../app/customers.ts';

export interface FoundCustomer extends Choice {
  readonly id: number;
}

export interface FindCustomerProps {
  readonly label: string;
  /** id of the input, if a `<label>` is next to it */
  readonly id?: string;
  readonly onChoose: (customer: FoundCustomer) => void;
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
}

export function FindCustomer({ onChoose, ...shown }: FindCustomerProps) {
  const [text, setText] = useState('');
  const { choices, error, busy } = useCustomers(text);
  return (
    <Combobox
      {...shown}
      text={text}
      onText={setText}
      choices={choices}
      error={error}
      busy={busy}
      onChoose={(customer) => {
        setText('');
        onChoose(customer);
      }}
    />
  );
}
