/** An order for a customer who is not at the desk: created, changed, and billed to their account. */
import { useId, useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { FindVariant, type FoundVariant } from './find-variant.tsx';
import { ProposalForm, type ErrorsOf, type Typed } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { OrderItem, OrderRead } from './order.tsx';

const METHODS = ['pickup', 'delivery'] as const;

const methodOf = ({ delivery_method: typed }: Typed) => {
  const method = METHODS.find((one) => one === typed);
  return method ? { delivery_method: method } : {};
};

interface PiecesProps {
  readonly errors: ErrorsOf;
  readonly item?: OrderItem;
}

/** The quantity and the delivery method. */
function Pieces({ errors, item }: PiecesProps) {
  return (
    <>
      <Field label={words.say('cart.quantity')} errors={errors('quantity')}>
        <input name="quantity" type="number" min={1} max={100} defaultValue={item?.quantity ?? 1} />
      </Field>
      <Field label={words.say('cart.method')} errors={errors('delivery_method')}>
        <select name="delivery_method" defaultValue={item?.delivery_method ?? ''}>
          {item ? null : <option value="">{words.say('cart.method.usual')}</option>}
          {METHODS.map((one) => (
            <option key={one} value={one}>
              {words.say(`delivery.${one}`)}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

interface ChosenProps {
  readonly variant: FoundVariant | null;
  readonly onChoose: (variant: FoundVariant) => void;
}

function Chosen({ variant, onChoose }: ChosenProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.say('cart.what')}</label>
      {variant ? (
        <p>
          <strong>{variant.label}</strong> {variant.more}
        </p>
      ) : null}
      <FindVariant id={id} label={words.say('cart.what')} onChoose={onChoose} />
    </div>
  );
}

function Whereto({ errors, order }: { readonly errors: ErrorsOf; readonly order?: OrderRead }) {
  return (
    <>
      <Field label={words.say('order.address')} errors={errors('delivery_address')}>
        <textarea name="delivery_address" rows={3} defaultValue={order?.delivery_address ?? ''} />
      </Field>
      <Field label={words.say('order.note')} errors={errors('note')}>
        <textarea name="note" rows={2} defaultValue={order?.note ?? ''} />
      </Field>
    </>
  );
}

const valuesOf = ({ delivery_address, note }: Typed) => ({
  delivery_address: delivery_address || null,
  note: note || null,
});

export interface NewOrderProps {
  readonly onClose: () => void;
  readonly onMade: (order: number) => void;
}

export function NewOrder({ onClose, onMade }: NewOrderProps) {
  const { id: business } = useBusiness();
  const id = useId();
  const [customer, setCustomer] = useState<{ readonly id: number; readonly label: string } | null>(null);
  const [variant, setVariant] = useState<FoundVariant | null>(null);
  return (
    <ProposalForm
      title={words.say('cart.new')}
      onClose={onClose}
      onMade={(made: { readonly id: number }) => onMade(made.id)}
      proposal={(typed) => ({
        title: words.say('cart.new'),
        done: words.say('cart.made'),
        call: () =>
          clientOf(business).call('POST /store/orders', {
            body: {
              ...(customer && { customer: customer.id }),
              items: variant
                ? [{ store_product_variant: variant.id, quantity: Number(typed.quantity), ...methodOf(typed) }]
                : [],
              ...valuesOf(typed),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <div className="field">
            <label htmlFor={id}>{words.say('cart.customer')}</label>
            {customer ? (
              <p>
                <strong>{customer.label}</strong>
              </p>
            ) : null}
            <FindCustomer id={id} label={words.say('cart.customer')} onChoose={setCustomer} />
            {errors('customer').length > 0 ? <p className="error">{errors('customer').join(' ')}</p> : null}
          </div>
          <Chosen variant={variant} onChoose={setVariant} />
          <Pieces errors={(name) => errors(`items.0.${name}`)} />
          <Whereto errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}

interface OrderProps {
  readonly order: OrderRead;
  readonly onClose: () => void;
}

export function AddToOrder({ order, onClose }: OrderProps) {
  const { id: business } = useBusiness();
  const [variant, setVariant] = useState<FoundVariant | null>(null);
  return (
    <ProposalForm
      title={words.say('cart.add')}
      onClose={onClose}
      proposal={(typed) => ({
        title: words.say('cart.add'),
        done: words.say('cart.saved'),
        call: () =>
          clientOf(business).call('POST /store/order_items', {
            body: {
              store_order: order.id,
              store_product_variant: variant?.id ?? 0,
              quantity: Number(typed.quantity),
              ...methodOf(typed),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Chosen variant={variant} onChoose={setVariant} />
          {errors('store_product_variant').length > 0 ? (
            <p className="error">{errors('store_product_variant').join(' ')}</p>
          ) : null}
          <Pieces errors={errors} />
        </>
      )}
    </ProposalForm>
  );
}

export function ChangeItem({ item, onClose }: { readonly item: OrderItem; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const title = words.say('edit.of', { name: item.name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('cart.saved'),
        call: () =>
          clientOf(business).call('PATCH /store/order_items/{id}', {
            params: { id: item.id },
            body: { quantity: Number(typed.quantity), ...methodOf(typed) },
          }),
      })}
    >
      {(errors) => <Pieces errors={errors} item={item} />}
    </ProposalForm>
  );
}

export function ChangeOrder({ order, onClose }: OrderProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('cart.where')}
      onClose={onClose}
      submit={words.say('save')}
      proposal={(typed) => ({
        title: words.say('cart.where'),
        confirm: words.say('save'),
        done: words.say('cart.saved'),
        call: () =>
          clientOf(business).call('PATCH /store/orders/{id}', { params: { id: order.id }, body: valuesOf(typed) }),
      })}
    >
      {(errors) => <Whereto errors={errors} order={order} />}
    </ProposalForm>
  );
}
