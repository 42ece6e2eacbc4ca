/** Asks customers by email to sign: on request of staff, and after a booking for which something is unsigned. */
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { customer } from '../../people/customers/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readUnsigned, type Unsigned } from './facts.ts';
import { SEES_SIGNATURES } from './waiver.ts';
import { SIGNING_REQUESTED } from './notice-types.ts';
import { signingLink } from './signing-link.ts';
import { spokenDateIn } from '../../../kernel/base/languages/spoken.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { waiverFeed } from './feed.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Notice } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const DAY_MS = 86_400_000;
/** People read emails later than they scan a code at the desk. */
const TTL_MS = 14 * DAY_MS;
/** Somebody who books every day is asked once in this time. */
const BETWEEN_MS = 7 * DAY_MS;
const MAX_WAIVERS = 200;

/** Returns the notice for one customer, with everything that they haven't signed. */
function noticeFor(work: Work, unsigned: readonly Unsigned[], key: string): Notice {
  const [{ customer: id, name }] = unsigned;
  const { path, expiresAt } = signingLink(work, id, TTL_MS);
  return {
    type: SIGNING_REQUESTED,
    customer: id,
    key,
    values: (reader) => ({
      'participant.name': name,
      'waivers.titles': unsigned.map(({ waiver }) => `“${waiver.title}”`).join(', '),
      'waivers.url': `${work.installation.baseUrl}${path}`,
      'waivers.until': spokenDateIn(reader, wallAt(expiresAt, work.tenant.zone).date),
    }),
  };
}

export const sendLinkToSign = action({
  path: '/customers/{id}/send_signing_link',
  summary: 'Email a link to sign waivers',
  description:
    'Sends the customer, or the people who manage their family, an email with the waivers that they haven’t signed and a link to sign them without a log-in. The link is valid for 14 days. At most one email is sent on a day. Customers who book something with an unsigned waiver are asked automatically, at most once in a week.',
  who: staffWith(...SEES_SIGNATURES),
  target: customer,
  body: {},
  tells: true,
  problems: ['conflict'],
  returns: one(customer),
  run: async ({ work, target }) => {
    const { results } = await readUnsigned(work, { customers: [target.id], limit: MAX_WAIVERS });
    if (results.length === 0)
      throw new Problem('conflict', 'The customer has signed everything, so there is nothing to send.');
    const day = wallAt(work.now, work.tenant.zone).date;
    const messages = await work.registry.notifier.notify(work, [noticeFor(work, results, `asked:${day}`)]);
    // A message that will not be sent is nevertheless recorded, and one with the same key is not sent again.
    if (work.notified.length === 0)
      throw new Problem(
        'conflict',
        'No email was sent: there was one today already, the message is turned off, or the customer has no email address. Copy the link instead.',
      );
    work.audit({
      action: 'POST /customers/{id}/send_signing_link',
      object: 'customer',
      objectId: target.id,
      before: { messages: [] },
      after: { messages },
    });
    for (const { waiver } of results)
      work.record(waiverFeed.requested, waiver.id, { waiver: waiver.id, customer: target.id });
    return target.id;
  },
});

/** Asks customers who booked something, and haven't signed what applies to them. */
export const asksToSign: FeedReader = {
  name: 'waivers_after_booking',
  kinds: ['event_registration.created'],
  async read(work, items) {
    const customers = [
      ...new Set(
        items
          .filter(({ occurredAt }) => work.now - occurredAt < DAY_MS)
          .map(({ payload }) => (payload as { customer: number }).customer),
      ),
    ];
    if (customers.length === 0) return;
    const { results } = await readUnsigned(work, { customers, limit: customers.length * MAX_WAIVERS });
    const key = `booked:${Math.floor(work.now / BETWEEN_MS)}`;
    await work.registry.notifier.notify(
      work,
      [...Map.groupBy(results, (one) => one.customer).values()].map((unsigned) => noticeFor(work, unsigned, key)),
    );
  },
};
