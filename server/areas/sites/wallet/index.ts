import type { Area } from '../../../kernel/api/area.ts';
import { boughtCardRoutes } from './bought-cards.ts';
import { creditRoutes } from './credit.ts';
import { owedRoutes } from './owed.ts';
import type { Business, Desk } from '../frame/index.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export { giftCardRoutes } from './gift-card.ts';
export { readCredit } from './credit.ts';
export { GUEST } from './gift-card.ts';
export { readOwed } from './owed.ts';

/** Pages about account credit, gift cards and open charges. */
export const wallet: Area = {
  name: 'wallet',
  description: 'Pages about account credit, gift cards and open charges.',
};

/** Returns the pages of this area that need a log-in, below the account pages of a business. */
export const walletPages = (desk: Desk): PageRoute<Business>[] =>
  [owedRoutes, creditRoutes, boughtCardRoutes].flatMap((routes) => routes(desk));
