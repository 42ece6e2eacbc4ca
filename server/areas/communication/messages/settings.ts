/** Settings of a business for messages to people. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { boolean, integer, object, timeOfDay } from '../../../kernel/base/fields/kinds.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface CommunicationSettings {
  readonly sms_quiet_hours: { readonly start: string; readonly end: string } | null;
  readonly reminder_hours: number;
  readonly push_notifications: boolean;
}

const shape = {
  sms_quiet_hours: object({ start: timeOfDay(), end: timeOfDay() })
    .nullable()
    .describe(
      "Marketing text messages wait while the recipient's local time is between these times, which can span midnight. Null means that they never wait.",
    ),
  reminder_hours: integer({ min: 1, max: 336 }).describe(
    'Number of hours before an event when people are reminded of it.',
  ),
  push_notifications: boolean().describe(
    'Whether customers can get offers from the waitlist as push notifications, on devices on which they agree to it. They are carried by the push services of browsers, encrypted.',
  ),
};

export async function communicationSettings(work: Pick<Work, 'tx' | 'providerId'>): Promise<CommunicationSettings> {
  const row = await work.tx.one<{
    start: string | null;
    end: string | null;
    reminder_hours: number;
    push_notifications: boolean;
  }>(
    sql`SELECT sms_quiet_hours_start AS start, sms_quiet_hours_end AS "end", reminder_hours, push_notifications
      FROM communication_settings WHERE provider_id = ${work.providerId}`,
  );
  if (!row)
    return { sms_quiet_hours: { start: '21:00:00', end: '08:00:00' }, reminder_hours: 24, push_notifications: false };
  return {
    sms_quiet_hours: row.start === null ? null : { start: row.start, end: row.end! },
    reminder_hours: row.reminder_hours,
    push_notifications: row.push_notifications,
  };
}

const who = staffWith('super_admin');
const path = '/communication/settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the messaging settings',
    who,
    returns: answer(shape),
    run: ({ work }) => communicationSettings(work),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the messaging settings',
    description:
      'A changed `reminder_hours` applies to bookings made from now on. Reminders that are already scheduled stay as they are.',
    who,
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await communicationSettings(work);
      const quiet = body.sms_quiet_hours === undefined ? before.sms_quiet_hours : body.sms_quiet_hours;
      const after = {
        sms_quiet_hours: quiet,
        reminder_hours: body.reminder_hours ?? before.reminder_hours,
        push_notifications: body.push_notifications ?? before.push_notifications,
      };
      await work.tx.run(sql`
        INSERT INTO communication_settings (provider_id, sms_quiet_hours_start, sms_quiet_hours_end, reminder_hours,
          push_notifications, updated_at)
        VALUES (${work.providerId}, ${quiet?.start ?? null}, ${quiet?.end ?? null}, ${after.reminder_hours},
          ${after.push_notifications}, ${instant(work.now)})
        ON CONFLICT (provider_id) DO UPDATE SET sms_quiet_hours_start = excluded.sms_quiet_hours_start,
          sms_quiet_hours_end = excluded.sms_quiet_hours_end,
          reminder_hours = excluded.reminder_hours, push_notifications = excluded.push_notifications,
          updated_at = excluded.updated_at`);
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        work.audit({
          action: 'PATCH /communication/settings',
          object: 'provider',
          objectId: work.providerId,
          before,
          after,
        });
        work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['communication'] });
      }
      return communicationSettings(work);
    },
  }),
];
