import type { Area } from '../../../kernel/api/area.ts';
import { forgetSignUps } from './become-customer.ts';
import { TABLES } from './tables.ts';
import { logInRoutes } from './code.ts';
import { consentRoutes } from './consent.ts';
import { continueRoutes } from './continue.ts';
import { handOverRoutes } from './hand-over.ts';
import { invitationRoutes } from './invitation.ts';
import { logInLinkRoutes } from './log-in-link.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './passwords.ts';
import { signUpRoutes } from './sign-up.ts';
import type { Business, Desk } from '../frame/index.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export { elsewhere } from './hand-over.ts';
export { desksFor } from './applications-desk.ts';
export { becomeCustomer, profilesHere } from './become-customer.ts';
export { logInRoutesAt, onwardsAsNew } from './log-in.ts';
export { PASSKEY_SCRIPT } from './passkeys.ts';
export { forgottenRoute } from './passwords.ts';
export { checkMailPage } from './views/entry.ts';

/** Pages for logging in and signing up, passwords, passkeys, and the consent to applications. */
export const logIn: Area = {
  name: 'log-in',
  description: 'Pages for logging in and signing up, passwords, passkeys, and the consent to applications.',
  tables: TABLES,
  sweep: forgetSignUps,
  sweepTimes: [],
};

/** Returns the pages of this area, below the account pages of a business. */
export const logInPages = (desk: Desk): PageRoute<Business>[] =>
  [
    logInRoutes,
    handOverRoutes,
    logInLinkRoutes,
    signUpRoutes,
    passwordRoutes,
    invitationRoutes,
    passkeyRoutes,
    consentRoutes,
    continueRoutes,
  ].flatMap((routes) => routes(desk));
