/** Credits billed lines: as account credit or as a refund, with products returned to stock. */
import { typedAmount } from '../../../app/amount.ts';
import { useState } from 'react';
import { amountOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { words as money } from '../../../money/words.ts';
import { ProposalForm, type ErrorsOf } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';
import type { Invoice } from './index.tsx';

export interface CreditNoteProps {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

type Line = Invoice['line_items'][number];

const leftOf = ({ total_amount_due: all, credited_amount: back }: Line): number =>
  (all?.decimal ?? 0) - (back?.decimal ?? 0);

export function CreditNote({ invoice: { id, number, line_items }, onClose }: CreditNoteProps) {
  const { id: business } = useBusiness();
  const lines = line_items.filter((line) => leftOf(line) > 0);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(lines.map((line) => line.id)));
  const [restocked, setRestocked] = useState<ReadonlySet<number>>(new Set());
  const [giveBack, setGiveBack] = useState<'account_credit' | 'refund'>('account_credit');
  // The interface identifies a line in an error by its position in this list.
  const sent = lines.filter((line) => chosen.has(line.id));
  const title = words.say('credit.of', { number });
  const put = (set: typeof setChosen) => (line: number, is: boolean) =>
    set((before) => new Set(is ? [...before, line] : [...before].filter((one) => one !== line)));
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('credit'),
        done: words.say('credit.done', { number }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /invoices/{id}/credit', {
            params: { id },
            body: {
              line_items: sent.map((line, n) => {
                const amount = typed[`line_items.${n}.amount`];
                const quantity = typed[`line_items.${n}.quantity`];
                return {
                  line_item: line.id,
                  ...(amount && { amount: typedAmount(amount) }),
                  ...(restocked.has(line.id) && { restock: true, ...(quantity && { quantity: Number(quantity) }) }),
                };
              }),
              give_back: giveBack,
              reason: typed.reason ?? '',
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <fieldset>
            <legend>{words.say('credit.lines')}</legend>
            {lines.map((line) => (
              <LineBack
                key={line.id}
                line={line}
                at={sent.indexOf(line)}
                isRestocked={restocked.has(line.id)}
                onChoose={put(setChosen)}
                onRestock={put(setRestocked)}
                errors={errors}
              />
            ))}
          </fieldset>
          <fieldset>
            <legend>{words.say('credit.back')}</legend>
            {(['account_credit', 'refund'] as const).map((one) => (
              <label key={one} className="box">
                <input type="radio" name="give_back" checked={giveBack === one} onChange={() => setGiveBack(one)} />{' '}
                {words.say(`credit.${one}`)}
              </label>
            ))}
          </fieldset>
          <Field label={words.say('reason')} hint={words.say('reason.hint')} errors={errors('reason')}>
            <input name="reason" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

interface LineBackProps {
  readonly line: Line;
  /** position among the lines that are sent; -1 if this one is not */
  readonly at: number;
  readonly isRestocked: boolean;
  readonly onChoose: (line: number, is: boolean) => void;
  readonly onRestock: (line: number, is: boolean) => void;
  readonly errors: ErrorsOf;
}

function LineBack({ line, at, isRestocked, onChoose, onRestock, errors }: LineBackProps) {
  const { currency } = useBusiness();
  const { id, description, quantity, type, total_amount_due: total } = line;
  const name = (what: string): string => `line_items.${at}.${what}`;
  return (
    <div className="line-back">
      <label className="box">
        <input type="checkbox" checked={at >= 0} onChange={(event) => onChoose(id, event.target.checked)} />{' '}
        {quantity > 1 ? `${quantity} × ` : ''}
        {description} {total ? <span className="soft">{amountOf(total)}</span> : null}
      </label>
      {at >= 0 ? (
        <Field
          label={money.say('field.amount', { currency })}
          hint={words.say('credit.amount.hint')}
          errors={[...errors(name('amount')), ...errors(name('line_item'))]}
        >
          <input name={name('amount')} inputMode="decimal" autoComplete="off" />
        </Field>
      ) : null}
      {at >= 0 && type === 'store_order' ? (
        <label className="box">
          <input type="checkbox" checked={isRestocked} onChange={(event) => onRestock(id, event.target.checked)} />{' '}
          {words.say('credit.restock')}
        </label>
      ) : null}
      {at >= 0 && isRestocked ? (
        <Field
          label={words.say('credit.quantity')}
          hint={words.say('credit.quantity.hint')}
          errors={[...errors(name('quantity')), ...errors(name('restock'))]}
        >
          <input name={name('quantity')} type="number" min={1} max={quantity} />
        </Field>
      ) : null}
    </div>
  );
}
