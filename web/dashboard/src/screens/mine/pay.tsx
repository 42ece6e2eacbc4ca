/** The person's pay for sessions that have ended, each with its reason. */
import { Items } from '../../pay/items.tsx';
import { Listed } from '../../ui/listed.tsx';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import { words as ofPay } from '../../pay/words.ts';

export function Pay({ instructor }: { readonly instructor: number }) {
  const list = usePages('GET /instructor_pay_items', {
    query: { instructors: [instructor], sort: ['-starts_at'], page_size: 10 },
    fields: ['id', 'pay', 'status', 'event.name', 'event.starts_at', 'event.timezone'],
  });
  return (
    <section className="card" aria-labelledby="pay">
      <h2 id="pay">{words.say('pay')}</h2>
      <Listed list={list} none={ofPay.say('none')} next={[]}>
        {(all) => <Items all={all} label={words.say('pay')} />}
      </Listed>
    </section>
  );
}
