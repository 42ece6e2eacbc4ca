import { application } from './application.ts';
import { assistant } from './assistant.ts';
import { assistantEndpoints } from './assistants.ts';
import { applicationFeed, assistantFeed } from './feed.ts';
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
import { refresh_access_token, userinfo } from './oauth/endpoints.ts';
import { interactionInPath, interactionSeeker } from './oauth/seek.ts';
import { sweepOAuth } from './oauth/sweep.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { callbackUrlProblem } from './rules/callback-url.ts';
export { directAuthRefusal, type DirectAuthStatus } from './rules/direct-auth.ts';
export {
  changeApplication,
  createApplication,
  lockApplication,
  approveDirectAuth,
  refuseDirectAuth,
  type NewApplication,
} from './writes.ts';

export {
  connectionsOf,
  disconnect,
  readDailyLimits,
  registeredAssistants,
  type Connected,
} from './oauth/connections.ts';
export {
  authorizationsElsewhere,
  connectionsElsewhere,
  disconnectElsewhere,
  type AuthorizationsElsewhere,
  type Disconnection,
  type PrintedProfile,
  type ProfilesWish,
} from './elsewhere.ts';
export { readAuthorization, type AuthorizationKey, type AuthorizationRow } from './oauth/authorization.ts';
export { isRefreshTokenHere, refresh, type Refreshed, type RefreshWish } from './oauth/tokens.ts';
export { profilesHere } from './profiles.ts';
export { keyExchange, readKeys, takeKeys, type StoredKey } from './keys/shared-keys.ts';
export type { Wish } from './oauth/consent.ts';
export { profilesOf } from './oauth/access-tokens.ts';
export { publishedKeys, rotateKeys, stateOf } from './keys/signing-keys.ts';
export { startAuthorization, type Tokens } from './oauth/tokens.ts';
export { Interactions, type AssistantChoices } from './oauth/interactions.ts';
export {
  ASSISTANT_GROUPS,
  permissionsFor,
  type AssistantGroup,
  type AssistantLimits,
} from './rules/assistant-limits.ts';

export const applications: Area = {
  name: 'applications',
  description: 'Programs that act for people: what they may do, and how people give them access.',
  tables: TABLES,
  names: [
    { kind: 'client', table: 'application', columns: ['client_id'], name: (row) => `${row}.client_id` },
    {
      kind: 'key',
      table: 'application_secret',
      columns: ['secret_hash'],
      name: (row) => `CASE WHEN ${row}.kind = 'direct_auth' THEN left(encode(${row}.secret_hash, 'hex'), 16) END`,
    },
  ],
  namesInPath: [interactionInPath],
  locators: [interactionSeeker],
  resources: [application, assistant],
  endpoints: [
    ...findApplications,
    ...changeApplications,
    ...directAuth,
    ...assistantEndpoints,
    own_application,
    own_profiles,
    userinfo,
    refresh_access_token,
    password_login,
    ...twoFactor,
    check_account,
    register_customer,
  ],
  jobs: [sendVerificationCode],
  feed: [applicationFeed, assistantFeed],
  sweepTimes: [],
  sweep: async (tx, now, installation) => {
    await sweepOAuth(tx, now, installation);
    await sweepPending(tx, now);
  },
};
