/** Consents to terms: who agreed to which version and how, and recording agreements given on paper or by telephone. */
import { useState } from 'react';
import { Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { CustomerLink } from '../../../ui/customer-link.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { momentOf } from '../../../words/times.ts';
import { nameOf } from '../../../app/customers.ts';
import { oneOf } from '../typed.ts';
import { ProposalFields } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from '../words.ts';
import type { TermsRead } from './terms.tsx';

const WAYS = ['in_person', 'on_paper', 'by_phone', 'by_email', 'online'] as const;

export interface ConsentsProps {
  readonly terms: TermsRead;
  readonly title: string;
  readonly onClose: () => void;
}

export function Consents({ terms, title, onClose }: ConsentsProps) {
  const { id: business, timezone } = useBusiness();
  const [whom, setWhom] = useState<{ readonly id: number; readonly label: string } | null>(null);
  const list = usePages('GET /terms_consents', {
    query: { membership_terms: terms.id, sort: ['-id'], page_size: 50 },
    fields: ['id', 'version', 'how', 'agreed_at', 'customer.id', 'customer.first_name', 'customer.last_name'],
  });
  return (
    <Dialog title={words.say('consents.of', { name: title })} onClose={onClose} side>
      <label htmlFor="agreed">{words.say('consent.new')}</label>
      {whom === null ? (
        <FindCustomer id="agreed" label={words.say('customer')} onChoose={setWhom} />
      ) : (
        <ProposalFields
          proposal={({ how }) => ({
            title: words.say('consent.of', { name: whom.label }),
            confirm: words.say('save'),
            done: words.say('consent.saved', { name: whom.label }),
            call: () =>
              clientOf(business).call('POST /membership_terms/{id}/consent', {
                params: { id: terms.id },
                body: { version: terms.version, customer: whom.id, how: oneOf(WAYS, how) },
              }),
          })}
          onMade={() => setWhom(null)}
          actions={
            <button type="button" className="second" onClick={() => setWhom(null)}>
              {words.say('consent.other')}
            </button>
          }
        >
          {(errors) => (
            <>
              <p>
                <strong>{whom.label}</strong> {words.say('consent.version', { n: terms.version })}
              </p>
              <Choice
                name="how"
                label={words.say('consent.how')}
                choices={WAYS.map((one) => [one, words.say(`how.${one}`)])}
                errors={errors('how')}
              />
            </>
          )}
        </ProposalFields>
      )}
      <Listed list={list} none={words.say('consents.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('consents')}>
            {all.map(({ id, version, how, agreed_at, customer }) => (
              <li key={id}>
                {customer ? <CustomerLink id={customer.id} name={nameOf(customer)} /> : null}
                <span>{words.say('consent.version', { n: version })}</span>
                <span className="tag">{words.say(`how.${how}`)}</span>
                <span className="end soft small">{momentOf(agreed_at, timezone)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Dialog>
  );
}
