/** Products to sell with one tap: tiles by category, beginning with what sells most. */
import { useState } from 'react';
import { TODAY, useTiles, type Category } from './tile-kinds.ts';
import { words } from './words.ts';
import type { NewLine } from './cart.ts';

const nameOf = ({ key, name }: Category): string => name ?? words.say(`tiles.${key as typeof TODAY}`);

export function Tiles({ onAdd }: { readonly onAdd: (line: NewLine) => void }) {
  const categories = useTiles();
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = categories.find(({ key }) => key === chosen) ?? categories[0];
  if (!shown) return null;
  return (
    <>
      {categories.length > 1 ? (
        <div className="counter-categories" role="group" aria-label={words.say('tiles')}>
          {categories.map((category) => (
            <button
              key={category.key}
              type="button"
              className="second"
              aria-pressed={category === shown}
              onClick={() => setChosen(category.key)}
            >
              {nameOf(category)}
            </button>
          ))}
        </div>
      ) : null}
      <div className="counter-quick" role="group" aria-label={words.say('quick')}>
        {shown.tiles.map(({ key, picture, label, price, item }) => (
          <button key={key} type="button" className="second" onClick={() => onAdd({ label, price, item })}>
            {picture ? <img src={picture} alt="" loading="lazy" /> : null}
            <span>{label}</span> <span className="soft small">{price}</span>
          </button>
        ))}
      </div>
    </>
  );
}
