/** An explanation of why a customer can or can't book an event: every rule that was evaluated. */
import { useState } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';
import { FindCustomer, type FoundCustomer } from '../../ui/find-customer.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import check from 'icon:check';
import cross from 'icon:x';

export function Explain({ event }: { readonly event: number }) {
  const [customer, setCustomer] = useState<FoundCustomer | null>(null);
  const found = useCall(
    'GET /events/{id}/explain',
    { params: { id: event }, query: { customer: customer?.id } },
    { enabled: customer !== null },
  );
  return (
    <section className="explain">
      <h3>{words.say('explain')}</h3>
      <FindCustomer
        label={words.say('explain.customer')}
        placeholder={words.say('explain.customer')}
        onChoose={setCustomer}
      />
      {customer && found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {customer && !found.data && !found.error ? <Loading /> : null}
      {customer && found.data ? (
        <div role="status">
          <p>
            <strong>{words.say(found.data.can_book ? 'explain.yes' : 'explain.no', { name: customer.label })}</strong>
          </p>
          <ul className="plain-list">
            {found.data.rules.map(({ code, passed, message }) => (
              <li key={code} className="rule">
                <Icon of={passed ? check : cross} />
                <span>
                  <span className="unseen">{words.say(passed ? 'rule.passed' : 'rule.failed')}</span> {message}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
