/** Cancelling an order and returning items, with the refund or credit for them. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm, type ErrorsOf, type Typed } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { OrderItem, OrderRead } from './order.tsx';

const WAYS = ['refund', 'account_credit'] as const;

const givenBack = ({ give_back, give_back_delivery_fee: fee, reason = '' }: Typed, hasFee: boolean) => ({
  give_back: WAYS.find((one) => one === give_back) ?? 'refund',
  ...(hasFee && { give_back_delivery_fee: fee !== undefined }),
  reason,
});

function GiveBack({ errors, hasFee }: { readonly errors: ErrorsOf; readonly hasFee: boolean }) {
  return (
    <>
      <Field label={words.say('field.give_back')} errors={errors('give_back')}>
        <select name="give_back">
          {WAYS.map((one) => (
            <option key={one} value={one}>
              {words.say(`give_back.${one}`)}
            </option>
          ))}
        </select>
      </Field>
      {hasFee ? (
        <label className="box">
          <input type="checkbox" name="give_back_delivery_fee" /> {words.say('field.fee')}
        </label>
      ) : null}
      <Field label={words.say('field.reason')} hint={words.say('field.reason.hint')} errors={errors('reason')}>
        <input name="reason" autoComplete="off" required />
      </Field>
    </>
  );
}

export function CancelOrder({ order, onClose }: { readonly order: OrderRead; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('cancel.of', { n: order.id });
  const isPaid = order.status === 'paid';
  const hasFee = order.delivery_fee.decimal > 0;
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('cancel'),
        done: words.say('cancel.done', { n: order.id }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /store/orders/{id}/cancel', {
            params: { id: order.id },
            body: isPaid ? givenBack(typed, hasFee) : {},
          }),
      })}
    >
      {(errors) => (isPaid ? <GiveBack errors={errors} hasFee={hasFee} /> : <p>{words.say('cancel.open')}</p>)}
    </ProposalForm>
  );
}

export interface ReturnItemProps {
  readonly order: OrderRead;
  readonly item: OrderItem;
  readonly onClose: () => void;
}

export function ReturnItem({ order, item, onClose }: ReturnItemProps) {
  const { id: business } = useBusiness();
  const title = words.say('return.of', { name: item.name });
  const left = item.quantity - item.returned_quantity;
  const hasFee = order.delivery_fee.decimal > 0;
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('return'),
        done: words.say('return.done', { name: item.name }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /store/order_items/{id}/return', {
            params: { id: item.id },
            body: {
              ...givenBack(typed, hasFee),
              ...(typed.quantity && { quantity: Number(typed.quantity) }),
              restock: typed.restock !== undefined,
            },
          }),
      })}
    >
      {(errors) => (
        <>
          {left > 1 ? (
            <Field label={words.say('field.quantity')} errors={errors('quantity')}>
              <input name="quantity" type="number" min={1} max={left} defaultValue={left} />
            </Field>
          ) : null}
          <label className="box">
            <input type="checkbox" name="restock" defaultChecked /> {words.say('field.restock')}
          </label>
          <GiveBack errors={errors} hasFee={hasFee} />
        </>
      )}
    </ProposalForm>
  );
}
