/** The lines of the current sale. */
import { BILLED_AS, isCounted, type BilledAs, type Cart, type Line } from './cart.ts';
import { None } from '../../ui/listed.tsx';
import { words } from './words.ts';

export interface CartProps {
  readonly cart: Cart;
  readonly onChange: (change: (cart: Cart) => Cart) => void;
}

const MAX_ROWS = 100;

export function Lines({ cart: { lines }, onChange }: CartProps) {
  if (lines.length === 0) return <None text={words.say('lines.none')} />;
  const changeLine = (key: number, change: Partial<Line>): void =>
    onChange((cart) => ({ ...cart, lines: cart.lines.map((one) => (one.key === key ? { ...one, ...change } : one)) }));
  const remove = (key: number): void =>
    onChange((cart) => ({ ...cart, lines: cart.lines.filter((one) => one.key !== key) }));
  return (
    <ul className="rows" aria-label={words.say('lines')}>
      {lines.map(({ key, label, price, quantity, item }) => (
        <li key={key}>
          <span className="counter-label">
            <strong>{label}</strong> <span className="soft small">{price}</span>
          </span>
          {'purchase_type' in item ? (
            <select
              aria-label={words.say('billed', { what: label })}
              value={item.purchase_type}
              onChange={({ target }) => changeLine(key, { item: { ...item, purchase_type: target.value as BilledAs } })}
            >
              {BILLED_AS.map((one) => (
                <option key={one} value={one}>
                  {words.say(`billed.${one}`)}
                </option>
              ))}
            </select>
          ) : null}
          <span className="end counter-count">
            {isCounted(item) ? (
              <input
                type="number"
                min={1}
                max={MAX_ROWS}
                aria-label={words.say('quantity', { what: label })}
                value={quantity}
                onChange={({ target }) => {
                  const n = Math.trunc(target.valueAsNumber);
                  if (n >= 1 && n <= MAX_ROWS) changeLine(key, { quantity: n });
                }}
              />
            ) : null}
            <button
              type="button"
              className="plain"
              aria-label={words.say('remove.of', { what: label })}
              onClick={() => remove(key)}
            >
              {words.say('remove')}
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}
