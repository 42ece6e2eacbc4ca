/** The amounts that the new rows of files add up to. */
import { amountOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { Import } from './import.ts';

type Sum = Import['sums'][number];

/** Returns the sums of several files by what they are. */
function sumsOf(files: readonly Import[]): { of: Sum['of']; count: number; amount: number }[] {
  const sums = new Map<Sum['of'], { count: number; amount: number }>();
  for (const { of, count, amount } of files.flatMap((file) => file.sums)) {
    const before = sums.get(of) ?? { count: 0, amount: 0 };
    sums.set(of, { count: before.count + count, amount: before.amount + Number(amount) });
  }
  return [...sums].map(([of, { count, amount }]) => ({ of, count, amount }));
}

export function SumsOf({ files }: { readonly files: readonly Import[] }) {
  const { currency } = useBusiness();
  const sums = sumsOf(files);
  if (sums.length === 0) return null;
  return (
    <section aria-labelledby="sums">
      <h2 id="sums">{words.say('sums')}</h2>
      <ul className="rows">
        {sums.map(({ of, count, amount }) => (
          <li key={of}>
            <span className="what">
              {words.say(`sums.${of}`)}
              <br />
              <span className="soft small">{words.say('rows', { n: count })}</span>
            </span>
            <strong className="end">{amountOf({ decimal: amount, iso_currency_code: currency })}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
