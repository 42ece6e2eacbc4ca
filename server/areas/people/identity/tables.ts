/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, ofInstallation, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('machine_token'),
  ...ofInstallation(
    'account_part',
    'attempt_throttle',
    'operator_token',
    'passkey',
    'passkey_challenge',
    'recovery_code',
    'sign_up_code',
    'user_account',
    'user_event',
    'user_session',
  ),
  email_quota_use: { stays: 'Each installation counts what it sends.' },
  sms_quota_use: { stays: 'Each installation counts what it sends.' },
  domain_session: {
    stays: 'People log in anew at the installation that the business moves to.',
    ofCell: 'The browser logs in anew at the cell that the business moves to.',
  },
  account_ticket: {
    ...deleted('links_that_were_sent', {
      rows: ({ customer, emails }) => sql`(t.customer_id = ${customer} OR lower(t.email) = ANY(${emails}::text[]))`,
      hidden: ['id', 'user_id', 'staff_id'],
      internal: true,
    }),
    stays: 'Links in mails that were sent lead to the installation that sent them.',
  },
};
