/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { ofBusiness, ofInstallation, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('application', 'application_secret'),
  ...ofInstallation('oidc_record', 'signing_key'),
  app_consent: { stays: 'People agreed to what an application does at the old installation. They are asked again.' },
  app_authorization: { stays: 'Applications log in again: their tokens were signed by the old installation.' },
  pending_login: { stays: 'A log-in that is under way begins again.' },
  refresh_token: { stays: 'Applications log in again: their tokens were signed by the old installation.' },
};
