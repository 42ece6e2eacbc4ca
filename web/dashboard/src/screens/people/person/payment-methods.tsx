/** The customer's saved payment methods. The payment processor stores them; here they can only be removed. */
import { clientOf } from '../../../app/client.ts';
import { Listed } from '../../../ui/listed.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function PaymentMethods({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /payment_methods', {
    query: { customer: [person.id], sort: ['-id'], page_size: 20 },
    fields: ['id', 'long_description', 'can_delete'],
  });
  const remove = (id: number, what: string): void =>
    void propose({
      title: words.say('method.delete.of', { what }),
      confirm: words.say('method.delete'),
      about: <p>{words.say('method.delete.about')}</p>,
      done: words.say('method.deleted'),
      grave: true,
      call: () => clientOf(business).call('DELETE /payment_methods/{id}', { params: { id } }),
    });
  return (
    <Listed list={list} none={words.say('methods.none')} next={[]}>
      {(all) => (
        <ul className="rows" aria-label={words.say('methods')}>
          {all.map(({ id, long_description: what, can_delete }) => (
            <li key={id}>
              <span>{what}</span>
              <span className="end">
                {can_delete ? (
                  <RowButton text={words.say('method.delete')} about={what} onClick={() => remove(id, what)} />
                ) : (
                  <span className="soft small">{words.say('method.busy')}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
