/** The store: products and their stock, orders, gift cards, and settings. */
import './store.css';
import { GiftCards } from './gift-cards.tsx';
import { Orders } from './orders.tsx';
import { Product } from './product.tsx';
import { Products } from './products.tsx';
import { Settings } from './settings.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const TABS = { products: Products, orders: Orders, cards: GiftCards, settings: Settings } as const;
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[];

export function Screen() {
  const tab = useTab(NAMES);
  const [{ product }] = useAddress();
  const Shown = TABS[tab];
  return (
    <ListPage title={words.say('title')} className="store">
      <Tabs label={words.say('tabs')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      {tab === 'products' && product ? <Product key={product} id={Number(product)} /> : <Shown />}
    </ListPage>
  );
}
