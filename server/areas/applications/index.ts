import { application } from './application.ts';
import { applicationCreated, applicationDeleted, applicationUpdated } from './feed.ts';
import { changeApplications } from './change-applications.ts';
import { directAuth } from './direct-auth.ts';
import { findApplications } from './find-applications.ts';
import { own_application } from './own-application.ts';
import { own_profiles } from './profiles.ts';
import { check_account } from './check-account.ts';
import { password_login } from './password-login.ts';
import { register_customer } from './register-customer.ts';
import { sendVerificationCode } from './verification-mail.ts';
import { sweepPending } from './pending-login.ts';
import { twoFactor } from './two-factor.ts';
import type { Area } from '../../kernel/api/registry.ts';

export { changeApplication, createApplication, approveDirectAuth, refuseDirectAuth } from './writes.ts';

export const applications: Area = {
  name: 'applications',
  description: 'Programs that act for people: what they may do, and how people let them in.',
  resources: [application],
  endpoints: [...findApplications, ...changeApplications, ...directAuth, own_application, own_profiles, password_login, ...twoFactor, check_account, register_customer],
  jobs: [sendVerificationCode],
  sweep: async (tx, now) => void (await sweepPending(tx, now)),
  feed: [applicationCreated, applicationUpdated, applicationDeleted],
};
