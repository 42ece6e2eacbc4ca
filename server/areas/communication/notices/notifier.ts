/** The port through which earlier areas notify people. */
import { noticesReader, notifyFromFeed } from './reader.ts';
import { notifyStaff, notifySuperAdmins } from './notify-staff.ts';
import { sendNotices } from './write.ts';
import { stoppedBecause, withdrawMessages } from '../messages/index.ts';
import type { Notifier } from '../../../kernel/work/unit/work.ts';

export const notifier: Notifier = {
  async notify(work, notices) {
    const queued = await sendNotices(work, notices);
    return queued.flatMap(({ id }) => id ?? []);
  },
  previewEffects: (work) =>
    notifyFromFeed(
      work,
      work.recorded
        .filter(({ effect }) => noticesReader.kinds.includes(effect))
        .map(({ effect: kind, object, id, detail }, n) => ({
          // No feed item has such a number, and no message its key.
          seq: -1 - n,
          kind,
          object,
          objectId: id!,
          payload: JSON.parse(JSON.stringify(detail)) as Record<string, unknown>,
          occurredAt: work.now,
        })),
      { preview: true },
    ),
  withdraw: withdrawMessages,
  stopped: stoppedBecause,
  notifyStaff,
  notifySuperAdmins,
};
