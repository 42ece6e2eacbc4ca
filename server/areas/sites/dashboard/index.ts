import type { Area } from '../../../kernel/api/area.ts';

export { build, SHIPPED } from './built.ts';
export { dashboardDoors } from './routes.ts';
export { sessionTokens } from './session-token.ts';

/** The dashboard, where staff work: a program in the browser that uses only the public interface. */
export const dashboard: Area = {
  name: 'dashboard',
  description: 'The dashboard for staff, and the token with which it calls the interface.',
};
