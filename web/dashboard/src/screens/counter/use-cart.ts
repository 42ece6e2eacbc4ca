/** The sale in progress at this business. It is kept while the person visits other screens. */
import { useCallback, useState } from 'react';
import { EMPTY, type Cart } from './cart.ts';
import { useBusiness } from '../../app/business.ts';

const kept = new Map<number, Cart>();

export function useCart(): readonly [Cart, (change: (cart: Cart) => Cart) => void] {
  const { id } = useBusiness();
  const [cart, setCart] = useState(() => kept.get(id) ?? EMPTY);
  const change = useCallback(
    (next: (cart: Cart) => Cart) => {
      const changed = next(kept.get(id) ?? EMPTY);
      kept.set(id, changed);
      setCart(changed);
    },
    [id],
  );
  return [cart, change];
}
