import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { newPartnerId, purpose } from '../secret.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

let people = 0;

/** Adds a platform with a person whom it knows and a booking that it made. */
async function platform(world: World, providerId: number): Promise<number> {
  const id = await world.work(providerId, newPartnerId);
  const sealed = world.app.installation.box.seal(purpose(providerId, id), 'whsec_c2VjcmV0');
  const venue = await seed(world, 'venue', providerId);
  await row(
    world,
    'partner',
    { id, kind: 'booking_platform', name: name('Platform'), venue_id: venue, sealed },
    providerId,
  );
  const attendance = await seed(world, 'attendance', providerId);
  await world.work(providerId, async ({ tx, now }) => {
    const at = instant(now);
    await tx.run(sql`INSERT INTO ${raw('partner_booking')} (provider_id, attendance_id, partner_id, registered_at)
      SELECT provider_id, id, ${id}, registered_at FROM attendance
      WHERE provider_id = ${providerId} AND id = ${attendance}`);
    await tx.run(sql`INSERT INTO ${raw('partner_person')}
        (provider_id, partner_id, external_id, customer_id, created_at)
      SELECT provider_id, ${id}, ${`person-${++people}`}, customer_id, ${at} FROM attendance
      WHERE provider_id = ${providerId} AND id = ${attendance}`);
  });
  return id;
}

export const SEEDS: Seeds = {
  partner: platform,
  partner_message: async (world, providerId) => {
    const partner = await platform(world, providerId);
    return world.work(providerId, async ({ tx, now }) => {
      const made = await tx.one<{ id: number }>(sql`
        INSERT INTO ${raw('partner_message')} (provider_id, partner_id, external_id, type, customer_id, event_id,
          attendance_id, is_accepted, status, received_at)
        SELECT b.provider_id, b.partner_id, ${name('message')}, 'booking.requested', a.customer_id, a.event_id,
          a.id, true, 200, ${instant(now)}
        FROM ${raw('partner_booking')} b JOIN attendance a ON a.provider_id = b.provider_id AND a.id = b.attendance_id
        WHERE b.provider_id = ${providerId} AND b.partner_id = ${partner} RETURNING id`);
      return made!.id;
    });
  },
};
