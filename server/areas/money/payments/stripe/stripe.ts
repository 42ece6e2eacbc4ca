import { beginOnPage, cancelPage, lookAtPage } from './on-page.ts';
import { beginWithMethod, cancelIntent, findWithMethod, lookAtIntent } from './with-method.ts';
import { checkConnection } from './check.ts';
import { CANCELLED } from './rules/sentences.ts';
import { lookAtRefund, refund } from './refunds.ts';
import { SETTINGS } from './settings.ts';
import { readMessage } from './messages.ts';
import { beginSetup, lookAtSetup } from './set-up.ts';
import { readToken } from './methods.ts';
import { refusal, trouble } from './trouble.ts';
import { stripeOf } from './client.ts';
import { TYPES, type RemoteProcessor } from '../processor.ts';

const isPage = (external: string): boolean => external.startsWith('cs_');

/** Cards and other methods through Stripe, on its hosted page or with a saved method. */
export const stripe: RemoteProcessor = {
  name: 'stripe',
  type: TYPES.stripe,
  description: 'Customers pay on a page of Stripe, by card or by any method that the business offers there.',
  immediate: false,
  savesMethods: true,
  settings: SETTINGS,

  begin: (c, p) => (p.methodToken === null ? beginOnPage(c, p) : beginWithMethod(c, p)),

  async look(c, p) {
    if (p.external !== null) return isPage(p.external) ? lookAtPage(c, p.external) : lookAtIntent(c, p.external);
    // A page whose address was never returned is never paid.
    return p.methodToken === null ? null : findWithMethod(c, p);
  },

  async cancel(c, p) {
    if (p.external !== null) return isPage(p.external) ? cancelPage(c, p.external) : cancelIntent(c, p.external);
    const known = p.methodToken === null ? null : await findWithMethod(c, p);
    return known?.external ? cancelIntent(c, known.external) : { state: 'failed', external: null, why: CANCELLED };
  },

  refund,
  lookRefund: lookAtRefund,
  beginSetup,
  lookAtSetup,

  async forget(c, { token }) {
    const client = await stripeOf(c);
    try {
      await client.paymentMethods.detach(readToken(token).method);
    } catch (error) {
      // Already removed, here or in the Dashboard.
      if ((await refusal(error)).keyFails) throw await trouble(error);
    }
  },

  check: checkConnection,
  verify: readMessage,
};
