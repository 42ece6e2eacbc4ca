/** Forms to open a drawer, add and remove cash, and count it at the end. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { typedAmount } from '../../app/amount.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { DeskRead } from './desks.ts';

interface FormProps {
  readonly drawer: DeskRead;
  readonly onClose: () => void;
}

export function OpenSession({ drawer: { id, name }, onClose }: FormProps) {
  const { id: business, currency } = useBusiness();
  return (
    <ProposalForm
      title={words.say('session.open.of', { name })}
      submit={words.say('session.open.of', { name })}
      onClose={onClose}
      proposal={({ opening_float = '' }) => ({
        title: words.say('session.open.of', { name }),
        done: words.say('session.open.done', { name }),
        announced: ['cash_session_opened'],
        call: () =>
          clientOf(business).call('POST /counter/cash_sessions', {
            body: { payment_processor: id, opening_float: typedAmount(opening_float) },
          }),
      })}
    >
      {(errors) => (
        <Field
          label={words.say('field.float', { currency })}
          hint={words.say('field.float.hint')}
          errors={[...errors('opening_float'), ...errors('payment_processor')]}
        >
          <input name="opening_float" inputMode="decimal" autoComplete="off" autoFocus required />
        </Field>
      )}
    </ProposalForm>
  );
}

export interface SessionFormProps extends FormProps {
  /** id of the cash session */
  readonly session: number;
}

export function MoveCash({
  kind,
  drawer: { name },
  session,
  onClose,
}: SessionFormProps & { readonly kind: 'pay_in' | 'pay_out' }) {
  const { id: business, currency } = useBusiness();
  const title = words.say(`session.${kind}.of`, { name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ amount = '', reason = '' }) => ({
        title,
        done: words.say(`session.${kind}.done`),
        call: () =>
          clientOf(business).call(`POST /counter/cash_sessions/{id}/${kind}`, {
            params: { id: session },
            body: { amount: typedAmount(amount), reason },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('field.amount', { currency })} errors={errors('amount')}>
            <input name="amount" inputMode="decimal" autoComplete="off" autoFocus required />
          </Field>
          <Field label={words.say('field.reason')} hint={words.say(`session.${kind}.hint`)} errors={errors('reason')}>
            <input name="reason" autoComplete="off" required />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

interface Counted {
  readonly value: string;
  readonly count: string;
}

const NONE: Counted = { value: '', count: '' };

export function CloseSession({ drawer: { id, name }, session, onClose }: SessionFormProps) {
  const { id: business, currency } = useBusiness();
  const [how, setHow] = useState<'total' | 'coins'>('total');
  // The denominations of the last count are the default.
  const last = useCall('GET /counter/cash_sessions', {
    query: { payment_processor: [id], is_open: false, page_size: 1 },
    fields: ['denominations'],
  });
  const known = last.data?.results[0]?.denominations?.map(({ value }) => ({ value, count: '' })) ?? [];
  const [typed, setTyped] = useState<readonly Counted[] | null>(null);
  const rows = typed ?? [...known, NONE];
  const change = (at: number, to: Partial<Counted>): void => {
    const next = rows.map((row, n) => (n === at ? { ...row, ...to } : row));
    setTyped(next.at(-1)!.value === '' ? next : [...next, NONE]);
  };
  return (
    <ProposalForm
      title={words.say('session.close.of', { name })}
      onClose={onClose}
      proposal={({ counted = '', difference_reason }) => ({
        title: words.say('session.close.of', { name }),
        confirm: words.say('session.close.confirm'),
        done: words.say('session.close.done', { name }),
        call: () =>
          clientOf(business).call('POST /counter/cash_sessions/{id}/close', {
            params: { id: session },
            body: {
              ...(how === 'total'
                ? { counted: typedAmount(counted) }
                : {
                    denominations: rows
                      .filter(({ value }) => value.trim() !== '')
                      .map(({ value, count }) => ({ value: typedAmount(value), count: Number(count) })),
                  }),
              ...(difference_reason && { difference_reason }),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <fieldset className="counter-desks">
            <legend>{words.say('count.how')}</legend>
            {(['total', 'coins'] as const).map((one) => (
              <label key={one} className="box">
                <input type="radio" name="how" checked={how === one} onChange={() => setHow(one)} />{' '}
                {words.say(`count.${one}`)}
              </label>
            ))}
          </fieldset>
          {how === 'total' ? (
            <Field label={words.say('field.counted', { currency })} errors={errors('counted')}>
              <input name="counted" inputMode="decimal" autoComplete="off" required />
            </Field>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.say('count.value', { currency })}</th>
                  <th scope="col">{words.say('count.count')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ value, count }, n) => (
                  <tr key={n}>
                    <td>
                      <input
                        aria-label={words.say('count.value.n', { n: n + 1 })}
                        inputMode="decimal"
                        autoComplete="off"
                        value={value}
                        onChange={({ target }) => change(n, { value: target.value })}
                      />
                    </td>
                    <td>
                      <input
                        aria-label={words.say('count.count.n', { n: n + 1 })}
                        inputMode="numeric"
                        autoComplete="off"
                        value={count}
                        onChange={({ target }) => change(n, { count: target.value })}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Field
            label={words.say('field.difference_reason')}
            hint={words.say('field.difference_reason.hint')}
            errors={errors('difference_reason')}
          >
            <input name="difference_reason" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
