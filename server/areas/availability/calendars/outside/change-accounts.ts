import { externalCalendarAccountFeed, staffCalendarSettingFeed } from '../feed.ts';
import { answer, create, outside, remove, STAFF } from '../../../../kernel/api/endpoint.ts';
import { addressField, addressOf, printOf, sealAddress } from './address.ts';
import { CALENDAR_PROBLEMS } from '../problems.ts';
import { externalCalendarAccount, seesAll } from './resources.ts';
import { insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { integer, oneOf, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { sourceField, useAddress } from './source.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const f = externalCalendarAccount.fields;
/** More would be a mistake, or an attempt to make us read the whole internet. */
const MAX_PER_PERSON = 10;

/** The host name is resolved while no transaction is open: a name server may be slow. */
async function checkAddress({ url }: { url?: string }, { outbound, baseUrl }: Installation): Promise<void> {
  if (url === undefined) return;
  const address = addressOf(url);
  if (address.startsWith(`${baseUrl}/calendars/`))
    throw invalid('url', 'This is a calendar feed of this service. What the instructor teaches here counts anyway.');
  const problem = await outbound.problem(address);
  if (problem !== null) throw invalid('url', problem);
}

/** Returns the staff member for whom a calendar is connected. */
function ownerOf({ viewer }: Work, asked: number | undefined): number {
  if (asked === undefined && viewer.staffId === null)
    throw invalid('staff', 'Send the id of the staff member whose calendar it is.');
  const staff = asked ?? viewer.staffId!;
  if (staff !== viewer.staffId && !seesAll(viewer))
    throw new Problem(
      'permission_denied',
      'You can connect only your own calendar. The permission manage_events at all venues is needed to connect those of others.',
    );
  return staff;
}

const create_account = create(externalCalendarAccount, {
  path: '/external_calendars/accounts',
  summary: 'Connect a calendar by its iCalendar address',
  description:
    'Most calendars have a secret address for this, which ends in `.ics`. It is encrypted, and never shown again. The calendar is read within a minute, then every 15 minutes. To count its events as busy times, create a staff calendar setting for it.',
  who: STAFF,
  body: {
    calendar_source: sourceField().default('ICAL'),
    url: addressField().describe('The address of the calendar, which starts with https:// or webcal://.'),
    name: text({ max: 256 }).optional().describe('Name of the calendar. If left out, the host of the address.'),
    staff: f.staff.optional().describe('Staff member who owns the calendar. If left out, the caller.'),
  },
  problems: ['conflict', 'already_exists'],
  ahead: checkAddress,
  run: async ({ work, body }) => {
    const { tx, providerId, installation } = work;
    const staff = ownerOf(work, body.staff);
    // Concurrent requests for one person wait for each other: otherwise, both could take the last free slot.
    await tx.run(sql`SELECT pg_advisory_xact_lock(771052, hashtext(${`${providerId}:${staff}`}))`);
    const person = await tx.one<{ archived: boolean; n: number }>(
      sql`SELECT s.archived, (SELECT count(*) FROM external_calendar_account a
        WHERE a.provider_id = s.provider_id AND a.staff_id = s.id) AS n
          FROM staff s WHERE s.provider_id = ${providerId} AND s.id = ${staff}`,
    );
    if (person!.archived) throw invalid('staff', 'This staff member is archived.');
    if (person!.n >= MAX_PER_PERSON)
      throw new Problem('conflict', `${person!.n} calendars are already connected. Disconnect one first.`);
    const url = addressOf(body.url);
    const account = await insertRow(work, 'external_calendar_account', {
      staff_id: staff,
      calendar_source: 'ICAL',
      username: body.name ?? new URL(url).host.slice(0, 256),
      address_print: printOf(installation.box, providerId, staff, url),
    });
    await updateRow(work, 'external_calendar_account', account, {
      sealed: sealAddress(installation.box, providerId, account, url),
    });
    // The settings are part of the account: changes are recorded under the name of the account.
    await tx.run(
      sql`INSERT INTO external_calendar (provider_id, account_id, source_id, due_at)
          VALUES (${providerId}, ${account}, ${`ical-${account}`}, ${instant(work.realNow)})`,
    );
    work.record(externalCalendarAccountFeed.created, account, { external_calendar_account: account, staff });
    return account;
  },
});

const delete_account = remove(externalCalendarAccount, {
  path: '/external_calendars/accounts/{id}',
  summary: 'Disconnect a calendar',
  description: 'Deletes what is known of its events, and what it was used for. Its busy times no longer count.',
  who: STAFF,
  run: async ({ work, target }) => {
    const { tx, providerId } = work;
    const of = { external_calendar_account: target.id as number, staff: target.staff_id as number };
    const settings = await tx.rows<{ id: number }>(
      sql`SELECT s.* FROM staff_calendar_setting s
        JOIN external_calendar c ON c.provider_id = s.provider_id AND c.id = s.calendar_id
          WHERE s.provider_id = ${providerId} AND c.account_id = ${of.external_calendar_account} ORDER BY s.id
          FOR UPDATE OF s`,
    );
    for (const setting of settings) {
      work.touch('staff_calendar_setting', setting.id, setting as Record<string, unknown>);
      work.record(staffCalendarSettingFeed.deleted, setting.id, { staff_calendar_setting: setting.id, ...of });
    }
    // Calendars, events and settings are deleted with it.
    await tx.run(
      sql`DELETE FROM external_calendar_account
        WHERE provider_id = ${providerId} AND id = ${of.external_calendar_account}`,
    );
    work.record(externalCalendarAccountFeed.deleted, of.external_calendar_account, of);
  },
});

const initiate = outside({
  path: '/external_calendars/accounts/oauth2/initiate',
  summary: 'Connect a calendar by logging in',
  description:
    'Always refused in this version: the installation has no credentials for Google or Microsoft. Connect the calendar by its iCalendar address with `POST /external_calendars/accounts`, which works with both.',
  who: STAFF,
  dryRun: 'It is always refused.',
  body: {
    calendar_source: oneOf(['GOOG', 'MSFT']),
    redirect_uri: uri().describe('URL to which the person would return.'),
  },
  problems: [CALENDAR_PROBLEMS.calendar_source_unavailable],
  returns: answer({ uri: text(), timeout_seconds: integer({ min: 0 }) }),
  run: async ({ body }) => {
    throw new Problem(CALENDAR_PROBLEMS.calendar_source_unavailable, useAddress(body.calendar_source));
  },
});

export const changeAccounts = [create_account, delete_account, initiate];
