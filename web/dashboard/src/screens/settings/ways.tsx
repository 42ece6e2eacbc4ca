/** Ways to pay: adding one by what it is, and the connection of those that take payments online. */
import { Refused, type AnswerOf } from 'rollcall-sdk';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Copy } from '../../ui/copy.tsx';
import { Field } from '../../ui/field.tsx';
import { momentOf } from '../../words/times.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { Answer } from './values.ts';

const NEW = ['stripe', 'drawer', 'terminal', 'transfer'] as const;
type NewWay = (typeof NEW)[number];

/** Buttons for the ways to pay that a business usually has. */
export function NewWays() {
  const { isTest } = useBusiness();
  const [adding, setAdding] = useState<NewWay | null>(null);
  return (
    <>
      <p className="way-new" role="group" aria-label={words.say('add.processors')}>
        {NEW.filter((one) => !isTest || one !== 'stripe').map((one) => (
          <button key={one} type="button" className="second" onClick={() => setAdding(one)}>
            {words.say(`way.${one}`)}
          </button>
        ))}
      </p>
      {adding ? <Add way={adding} onClose={() => setAdding(null)} /> : null}
    </>
  );
}

function Add({ way, onClose }: { readonly way: NewWay; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say(`way.${way}`);
  const settings = ({ key = '' }: Readonly<Record<string, string | undefined>>) =>
    way === 'stripe' ? { secret_key: key } : way === 'drawer' ? { cash_drawer: 'yes' } : undefined;
  return (
    <ProposalForm
      title={title}
      submit={ui.say('save')}
      onClose={onClose}
      proposal={(typed) => {
        const { name = '' } = typed;
        const values = settings(typed);
        return {
          title,
          done: words.say('saved', { what: name }),
          call: () =>
            clientOf(business).call('POST /payment_processors', {
              body: { kind: way === 'stripe' ? 'stripe' : 'offline', name, ...(values && { settings: values }) },
            }),
        };
      }}
    >
      {(errors) => (
        <>
          <p className="soft">{words.say(`way.${way}.about`)}</p>
          <Field label={words.say('way.name')} hint={words.say('way.name.hint')} errors={errors('name')}>
            <input name="name" autoComplete="off" required defaultValue={words.say(`way.${way}.usual`)} />
          </Field>
          {way === 'stripe' ? (
            <>
              <Field
                label={words.say('way.key')}
                hint={words.say('way.key.hint')}
                errors={errors('settings.secret_key')}
              >
                <input name="key" type="password" autoComplete="off" required />
              </Field>
              <p className="small">
                <Outside to="https://dashboard.stripe.com/apikeys">{words.say('way.keys_there')}</Outside>
              </p>
            </>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}

const Outside = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
);

const kindOf = ({ kind, is_cash_drawer }: Answer): 'stripe' | 'sandbox' | 'drawer' | 'desk' =>
  kind === 'stripe' || kind === 'sandbox' ? kind : is_cash_drawer ? 'drawer' : 'desk';

/** Says in words what a way to pay is. */
export function Way({ entry }: { readonly entry: Answer }) {
  const kind = kindOf(entry);
  return (
    <>
      <span className="soft small">{words.say(`way.is.${kind}`)}</span>
      {kind === 'sandbox' ? <span className="tag">{words.say('way.no_money')}</span> : null}
      {entry.is_enabled ? null : <span className="tag">{words.say('way.off')}</span>}
    </>
  );
}

type Found = AnswerOf<'POST /payment_processors/{id}/check', never, never>;

/** Says how a way to pay online is connected; nothing for the others. */
export function Connection({ entry }: { readonly entry: Answer }) {
  return kindOf(entry) === 'stripe' ? <Connected entry={entry} /> : null;
}

function Connected({ entry }: { readonly entry: Answer }) {
  const { id: business } = useBusiness();
  const [found, setFound] = useState<Found | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const hasSecret = (entry.secrets as readonly string[] | null)?.includes('webhook_secret') ?? false;
  const check = async (): Promise<void> => {
    setIsAsking(true);
    setWrong(null);
    try {
      setFound(await clientOf(business).call('POST /payment_processors/{id}/check', { params: { id: entry.id } }));
    } catch (error) {
      setWrong(error instanceof Refused ? error.problem.message : ui.say('unreachable'));
    }
    setIsAsking(false);
  };
  return (
    <details className="way" open={!hasSecret}>
      <summary>{words.say(hasSecret ? 'way.connection' : 'way.finish')}</summary>
      <ol>
        <li>
          {words.say('way.step.address')}{' '}
          <Outside to="https://dashboard.stripe.com/webhooks">{words.say('way.webhooks_there')}</Outside>
          <Copy text={String(entry.message_url)} label={words.say('way.address')} />
        </li>
        <li>
          {words.say('way.step.secret')}{' '}
          <strong>{words.say(hasSecret ? 'way.secret.set' : 'way.secret.missing')}</strong>
        </li>
        <li>
          {words.say('way.step.methods')}{' '}
          <Outside to="https://dashboard.stripe.com/settings/payment_methods">{words.say('way.methods_there')}</Outside>
        </li>
      </ol>
      <div className="actions">
        <button type="button" className="second" disabled={isAsking} onClick={() => void check()}>
          {words.say('way.check')}
        </button>
      </div>
      <div role="status">
        {wrong ? <p className="notice wrong">{wrong}</p> : null}
        {found ? <Result found={found} /> : null}
      </div>
    </details>
  );
}

function Result({ found }: { readonly found: Found }) {
  const { timezone: zone } = useBusiness();
  if (!found.works) return <p className="notice wrong">{found.explanation}</p>;
  const { account, payment_methods: methods } = found;
  return (
    <>
      <p className="notice">
        {words.say('way.works', { account: account ?? 'Stripe' })} {found.is_test ? words.say('way.test_key') : null}{' '}
        {found.takes_payments ? null : words.say('way.not_ready')}
      </p>
      <p>
        {methods.length === 0
          ? words.say('way.methods.none')
          : words.say('way.methods', { methods: methods.map(({ name }) => name).join(', ') })}
      </p>
      {methods.some(({ method, is_saved: saved }) => saved && DEBIT.test(method)) ? (
        <p className="small">{words.say('way.mandate')}</p>
      ) : null}
      <p className="small soft">
        {found.last_message_at
          ? words.say('way.last_message', { when: momentOf(found.last_message_at, zone) })
          : words.say('way.no_message')}
      </p>
    </>
  );
}

/** Methods that take money from a bank account. */
const DEBIT = /_debit$|bank_account$/;
