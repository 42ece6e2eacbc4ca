/** How areas before this one reach people. */
import { notifyStaff, notifySuperAdmins } from './tell-staff.ts';
import { sendNotices } from './write.ts';
import { stoppedBecause, withdrawMessages } from '../messages/index.ts';
import type { Notifier } from '../../../kernel/notices.ts';

export const notifier: Notifier = {
  async notify(work, notices) {
    const queued = await sendNotices(work, notices);
    return queued.flatMap(({ id }) => id ?? []);
  },
  withdraw: withdrawMessages,
  stopped: stoppedBecause,
  notifyStaff,
  notifySuperAdmins,
};
