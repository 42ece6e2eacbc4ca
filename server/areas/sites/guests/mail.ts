/**
 * The email with which guests confirm a free booking. The job generates the secret of the link and the code when it
 * sends them, so the queue and the database never contain either.
 */
import { accountMailFeed, makeSecret } from '../../people/identity/index.ts';
import { at, type At } from '../frame/index.ts';
import { GUEST } from './messages.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { isMailAddress } from '../../../kernel/base/mail/address.ts';
import { lockBooking, MAIL_TASK, SECRET_PREFIX } from './booking.ts';
import { momentIn, soonIn } from '../../../kernel/base/languages/times.ts';
import { randomInt } from 'node:crypto';
import { readerOf } from '../../../kernel/base/languages/languages.ts';
import { readLetterhead } from '../../platform/providers/index.ts';
import { writeMail } from '../../../kernel/base/mail/layout.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

export const CONFIRM_PAGE = 'guest/confirm';

/** Returns the keyed hash that a code is compared with: six digits could be guessed from a plain hash. */
export const codeHash = (box: SecretBox, id: number, code: string): string =>
  `\\x${box.fingerprint('guest_booking_code', `${id} ${code}`).toString('hex')}`;

export const mailJob: Job = {
  task: MAIL_TASK,
  async run(work, { guest_booking: id }: { guest_booking: number }) {
    const { tx, providerId, now, installation } = work;
    const booking = await lockBooking(work, id);
    if (booking === null || booking.settled_at !== null) return;
    const who = await tx.one<{ email: string; locale: string | null }>(
      sql`SELECT email, locale FROM customer WHERE provider_id = ${providerId} AND id = ${booking.customer_id}
        AND deleted_at IS NULL`,
    );
    if (!who || !isMailAddress(who.email)) return;
    const { secret, hash } = makeSecret(SECRET_PREFIX);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await tx.run(
      sql`UPDATE guest_booking SET secret_hash = ${hash}::bytea,
        code_hash = ${codeHash(installation.box, id, code)}::bytea, updated_at = ${instant(now)}
          WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    const head = await readLetterhead(work);
    const reader = readerOf(who.locale ?? undefined, null, head.reader);
    const say = GUEST.for(reader, head.words);
    const { business } = head;
    const until = soonIn(reader.locale, booking.held_until, now, booking.timezone);
    const button = say('mail.button');
    const page = at({ id: providerId }, CONFIRM_PAGE);
    const url = `${installation.baseUrl}${page}?${new URLSearchParams({ ticket: secret })}`;
    const text = [
      say('mail.hello'),
      say('mail.text', { business }),
      `${booking.name}\n${momentIn(reader.locale, booking.starts_at, booking.timezone)}`,
      say('mail.held', { until }),
      `${button}:\n${url}`,
      `${say('mail.code', { code })}\n${say('mail.secret')}`,
      say('mail.ending', { until }),
      business,
    ].join('\n\n');
    await installation.mailer.send(tx, {
      providerId,
      fromName: business,
      to: who.email,
      ...writeMail(head, {
        subject: say('mail.subject', { business }),
        text,
        button,
        language: reader.language,
        linksTo: `${installation.baseUrl}/`,
      }),
    });
    work.record(accountMailFeed.account_mail_sent, booking.customer_id, {
      customer: booking.customer_id,
      mail: 'confirm_booking',
    });
  },
};

/** Returns the path of the page that tells guests to check their email. */
export const checkMailPath = (site: At['site'], booking: number): string =>
  `${at(site, 'guest/check-mail')}?booking=${booking}`;
