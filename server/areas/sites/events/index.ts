import type { Area } from '../../../kernel/api/area.ts';

export { linkedRoutes } from './linked.ts';
export { onlineRoutes } from './online.ts';
export { mailedEventRoutes } from './routes.ts';
export { eventRoutes } from './routes.ts';
export { standingsOf, type StandingOf } from './standing.ts';
export { firstLine, paragraphs, repeatedPrice } from './views/parts.ts';

/** The page of an event, where people book and cancel, and of its series. */
export const events: Area = {
  name: 'events',
  description: 'The page of an event, where people book and cancel, and of its series.',
};
