/**
 * The notice to people who have started to book and not paid, with a link to where they left off. It is sent once,
 * while their spots are kept, and only to people with an account: nobody has proved that the address of a guest is
 * theirs.
 */
import { readSignedIds, signIds } from '../../../kernel/base/signed-ids.ts';
import { UNFINISHED } from './notice-types.ts';
import { shortMomentIn, soonIn } from '../../../kernel/base/languages/times.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const MINUTE = 60_000;
/** Most people have paid by then; it leaves ten of the minutes for which a spot is kept. */
const AFTER_MS = 5 * MINUTE;
/** Later, the spot would be gone before the email is read. */
const LEAST_LEFT_MS = 2 * MINUTE;

const TASK = 'notify_of_unfinished_checkout';
const PURPOSE = 'checkout_link_1';

/** Returns the checkout that the link of a notice names; null if it is none of this business. */
export function checkoutOfLink(
  box: Pick<SecretBox, 'fingerprints'>,
  providerId: number,
  ticket: string,
): number | null {
  const [id, ...more] = readSignedIds(box, PURPOSE, providerId, ticket) ?? [];
  return id === undefined || more.length > 0 ? null : id;
}

/** Enqueues the notice. Opening the page again postpones it. */
export const notifyLater = (work: Work, checkout: number): void =>
  work.enqueue({ task: TASK, payload: { checkout }, key: `unfinished:${checkout}`, runAt: work.now + AFTER_MS });

interface Spot {
  readonly name: string;
  readonly starts_at: number;
  readonly timezone: string;
}

export const unfinishedJob: Job = {
  task: TASK,
  async run(work, { checkout: id }: { checkout: number }) {
    const { tx, providerId, now, installation } = work;
    const [[row], spots] = (await tx.all([
      sql`SELECT c.customer_id, c.expires_at FROM checkout c JOIN customer p USING (provider_id)
          WHERE c.provider_id = ${providerId} AND c.id = ${id} AND c.status = 'open' AND p.id = c.customer_id
            AND p.user_id IS NOT NULL AND p.deleted_at IS NULL`,
      sql`SELECT e.name, e.starts_at, e.timezone FROM checkout_item i
            JOIN seat_hold h ON h.provider_id = i.provider_id AND h.held_for = 'checkout_item' AND h.held_for_id = i.id
            JOIN event e ON e.provider_id = h.provider_id AND e.id = h.event_id
          WHERE i.provider_id = ${providerId} AND i.checkout_id = ${id} AND e.status = 'active'
          ORDER BY e.starts_at, e.id LIMIT 20`,
    ])) as [[{ customer_id: number; expires_at: number }?], Spot[]];
    const [first] = spots;
    if (!row || !first || first.starts_at <= now || row.expires_at < now + LEAST_LEFT_MS) return;
    const ticket = signIds(installation.box, PURPOSE, providerId, [id]);
    await work.registry.notifier.notify(work, [
      {
        type: UNFINISHED,
        customer: row.customer_id,
        key: String(id),
        values: ({ locale }) => {
          const line = (spot: Spot) => `${spot.name}, ${shortMomentIn(locale, spot.starts_at, spot.timezone)}`;
          return {
            'checkout.first': line(first),
            'checkout.spots': spots.map(line).join('\n'),
            'checkout.until': soonIn(locale, row.expires_at, now, first.timezone),
            'checkout.url': `${installation.baseUrl}/account/${providerId}/checkout?ticket=${ticket}`,
          };
        },
      },
    ]);
  },
};
