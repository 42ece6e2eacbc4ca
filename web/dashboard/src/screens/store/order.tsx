/** One order: handing over its items, taking returns, or cancelling it. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf, momentOf } from '../../words/times.ts';
import { AddToOrder, ChangeItem, ChangeOrder } from './cart.tsx';
import { CancelOrder, ReturnItem } from './order-forms.tsx';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { maySeeCustomers, nameOf } from '../../app/customers.ts';
import { may, useBusiness } from '../../app/business.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const useOrder = (id: number) =>
  useCall('GET /store/orders/{id}', {
    params: { id },
    fields: [
      'id',
      'status',
      'locked_at',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
      'subtotal',
      'delivery_fee',
      'delivery_address',
      'note',
      'created_at',
      'items.id',
      'items.name',
      'items.quantity',
      'items.unit_price',
      'items.delivery_method',
      'items.delivered_at',
      'items.returned_quantity',
    ],
  });

export type OrderRead = NonNullable<ReturnType<typeof useOrder>['data']>;
export type OrderItem = OrderRead['items'][number];

type Doing = 'cancel' | 'add' | 'where' | { readonly item: OrderItem; readonly what: 'return' | 'change' };

export function OrderShown({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const at = useBusiness();
  const { id: business, timezone } = at;
  const propose = usePropose();
  const { data: order, error, refetch } = useOrder(id);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = (): void => setDoing(null);
  if (order && doing === 'cancel') return <CancelOrder order={order} onClose={close} />;
  if (order && doing === 'add') return <AddToOrder order={order} onClose={close} />;
  if (order && doing === 'where') return <ChangeOrder order={order} onClose={close} />;
  if (order && doing !== null && typeof doing === 'object')
    return doing.what === 'return' ? (
      <ReturnItem order={order} item={doing.item} onClose={close} />
    ) : (
      <ChangeItem item={doing.item} onClose={close} />
    );
  const handOver = ({ id: item, name }: OrderItem): void =>
    void propose({
      title: words.say('handover.of', { name }),
      confirm: words.say('handover'),
      done: words.say('handover.done', { name }),
      call: () => clientOf(business).call('POST /store/order_items/{id}/confirm_delivery', { params: { id: item } }),
    });
  const remove = ({ id: item, name }: OrderItem): void =>
    void propose({
      title: words.say('cart.remove.of', { name }),
      confirm: words.say('cart.remove'),
      done: words.say('cart.saved'),
      call: () => clientOf(business).call('DELETE /store/order_items/{id}', { params: { id: item } }),
    });
  // Bills the order in two steps, each with a preview: the stock is reserved, then the account is charged.
  const bill = async (): Promise<void> => {
    const held = await propose({
      title: words.say('cart.check_out.of', { n: id }),
      confirm: words.say('cart.check_out'),
      done: words.say('cart.held'),
      call: () => clientOf(business).call('POST /store/orders/checkout', { body: { store_order: id } }),
    });
    if (!held.made) return;
    await propose({
      title: words.say('cart.bill'),
      done: words.say('cart.billed'),
      call: () =>
        clientOf(business).call('POST /checkouts/{id}/pay', {
          params: { id: Number(held.answer.id) },
          body: { pay_later: true },
        }),
    });
  };
  const isCart = order?.status === 'open' && order.locked_at === null;
  const isSold = order?.status === 'paid' || order?.status === 'fulfilled';
  return (
    <Dialog title={words.say('order.of', { n: id })} onClose={onClose} side>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!order && !error ? <Loading /> : null}
      {order ? (
        <>
          <p className="store-facts">
            {order.customer && maySeeCustomers(at) ? (
              <Link to={`/${business}/people/${order.customer.id}` as string}>{nameOf(order.customer)}</Link>
            ) : (
              <span>{order.customer ? nameOf(order.customer) : ''}</span>
            )}
            <span className={order.status === 'paid' ? 'tag good' : 'tag'}>{words.say(`order.${order.status}`)}</span>
            <span className="soft">{momentOf(order.created_at, timezone)}</span>
          </p>
          <ul className="rows">
            {order.items.map((item) => (
              <li key={item.id}>
                <strong>{item.quantity > 1 ? `${item.quantity} × ${item.name}` : item.name}</strong>
                <span>{amountOf(item.unit_price)}</span>
                <span className="tag">{words.say(`delivery.${item.delivery_method}`)}</span>
                {item.delivered_at ? <span className="tag good">{words.say('handover.made')}</span> : null}
                {item.returned_quantity > 0 ? (
                  <span className="tag">{words.say('return.made', { n: item.returned_quantity })}</span>
                ) : null}
                {isCart ? (
                  <span className="end store-actions">
                    <RowButton
                      text={words.say('cart.change')}
                      about={item.name}
                      onClick={() => setDoing({ item, what: 'change' })}
                    />
                    <RowButton text={words.say('cart.remove')} about={item.name} onClick={() => remove(item)} />
                  </span>
                ) : null}
                {isSold && item.returned_quantity < item.quantity ? (
                  <span className="end store-actions">
                    {item.delivered_at ? null : (
                      <button
                        type="button"
                        className="second"
                        aria-label={words.say('handover.of', { name: item.name })}
                        onClick={() => handOver(item)}
                      >
                        {words.say('handover')}
                      </button>
                    )}
                    <button
                      type="button"
                      className="plain"
                      aria-label={words.say('return.of', { name: item.name })}
                      onClick={() => setDoing({ item, what: 'return' })}
                    >
                      {words.say('return')}
                    </button>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
          <dl className="store-list">
            <dt>{words.say('order.subtotal')}</dt>
            <dd>{amountOf(order.subtotal)}</dd>
            {order.delivery_fee.decimal > 0 ? (
              <>
                <dt>{words.say('order.delivery_fee')}</dt>
                <dd>{amountOf(order.delivery_fee)}</dd>
              </>
            ) : null}
            {order.delivery_address ? (
              <>
                <dt>{words.say('order.address')}</dt>
                <dd className="store-said">{order.delivery_address}</dd>
              </>
            ) : null}
            {order.note ? (
              <>
                <dt>{words.say('order.note')}</dt>
                <dd className="store-said">{order.note}</dd>
              </>
            ) : null}
          </dl>
          {order.status === 'open' || order.status === 'paid' ? (
            <div className="actions">
              {isCart && may(at, 'pos') && order.items.length > 0 ? (
                <button type="button" onClick={() => void bill()}>
                  {words.say('cart.check_out')}
                </button>
              ) : null}
              {isCart ? (
                <button type="button" className="second" onClick={() => setDoing('add')}>
                  {words.say('cart.add')}
                </button>
              ) : null}
              <button type="button" className="second" onClick={() => setDoing('where')}>
                {words.say('cart.where')}
              </button>
              <button type="button" className="second" onClick={() => setDoing('cancel')}>
                {words.say('cancel')}
              </button>
            </div>
          ) : null}
        </>
      ) : null}
    </Dialog>
  );
}
