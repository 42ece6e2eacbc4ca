import { identityFeed } from './feed.ts';
import { machineToken, machineTokenEndpoints } from './tokens/machine-token-endpoints.ts';
import { deleteUnusedAccount } from './accounts/forget.ts';
import { mailReaders } from './mail/mail-readers.ts';
import { sendAccountMail } from './mail/account-mail.ts';
import { sweepAccounts } from './sweep.ts';
import { IDENTITY_PROBLEMS } from './problems.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { accountMailFeed, machineTokenFeed } from './feed.ts';
export { createMachineToken, machineTokenOf, machineTokens, revokeMachineToken } from './tokens/machine-token.ts';
export { createOperatorToken, operatorTokens, revokeOperatorToken } from './tokens/operator-token.ts';
export { hashOf, isWellFormed, makeSecret } from './tokens/opaque-secret.ts';
export { createUser } from './user.ts';
export { accountDoor, doorForCall } from './open-door.ts';
export type { AccountDoor, AtBusiness, NotNow, Whence } from './door.ts';
export { deleteAccountsOf, deleteIfUnused } from './accounts/forget.ts';
export { movingAccounts } from './accounts/moving.ts';
export { emailKey } from './rules/email-key.ts';
export {
  changeName,
  disableAccount,
  enableAccount,
  findAccount,
  readAccount,
  stillLetIn,
  type Account,
} from './accounts/account.ts';
export {
  disableByOperator,
  enableByOperator,
  endAccessByOperator,
  overviewOf,
  removeSecondFactorByOperator,
  sendPasswordLinkByOperator,
  type AccountOverview,
} from './accounts/operator-acts.ts';
export { speakerFor } from './mail/speaker.ts';
export { finishLogIn, logIn, reauthenticate } from './log-in/log-in.ts';
export { askForLogInLink, logInByLink } from './log-in/log-in-link.ts';
export { askForLogInCode, awaitedAddress, logInByCode } from './log-in/log-in-code.ts';
export { refusePassword } from './passwords/password-policy.ts';
export { faultText, LONGEST, SHORTEST, type PasswordFault } from './rules/password.ts';
export { notNow } from './not-now.ts';
export { askToResetPassword, changePassword, changePasswordByToken, resetPassword } from './passwords/passwords.ts';
export { againstPassword, askToConfirmEmail, confirmEmail, readyAccount, signUp } from './accounts/sign-up.ts';
export { readyVouched } from './accounts/operator-verified.ts';
export { confirmByCode } from './accounts/sign-up-code.ts';
export {
  askToChangeEmail,
  askToChangeEmailByToken,
  confirmEmailChange,
  stopEmailChange,
} from './accounts/email-change.ts';
export {
  endOtherSessions,
  endSession,
  findSession,
  findSessionByHash,
  findSessionById,
  isFresh,
  listSessions,
  startSession,
  type Session,
} from './log-in/sessions.ts';
export { lastUse } from './log-in/last-use.ts';
export { findDomainSession, handOver, takeOver } from './log-in/domain-sessions.ts';
export {
  accountsElsewhere,
  bringAccount,
  type AccountsElsewhere,
  type AmongCells,
  type SessionKey,
  type SessionsElsewhere,
} from './elsewhere.ts';
export {
  endSessionAnywhere,
  endSessionsElsewhere,
  leaveSession,
  logOut,
  sessionByIdElsewhere,
  sessionElsewhere,
  sessionOfSecret,
  sessionsElsewhere,
} from './log-in/any-session.ts';
export {
  laterParts,
  partsOf,
  readState,
  takeState,
  type AccountKey,
  type AccountState,
  type Part,
} from './accounts/state.ts';
export {
  beginSecondFactor,
  confirmSecondFactor,
  enrolmentUnderWay,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorRequired,
  forgetCodeAttempts,
  takeCode,
  takeCodeAttempt,
} from './log-in/second-factor.ts';
export {
  addPasskey,
  listPasskeys,
  logInWithPasskey,
  LONGEST_NAME,
  passkeyCreation,
  passkeyHost,
  passkeyRequest,
  removePasskey,
  renamePasskey,
  type Passkey,
} from './log-in/passkeys.ts';
export { endInvitations, issueTicket, readTicket, useTicket, type Ticket } from './tokens/tickets.ts';
export { acceptInvitation, openInvitation, signUpByInvitation } from './invitations.ts';
export { claimProfiles } from './accounts/claim.ts';
export { familyInvitePath, INVITE_TTL_MS, inviteToFamily, readFamilyInviteCode } from './mail/family-invite.ts';
export { mailReaders, type MailReader } from './mail/mail-readers.ts';
export { accountMail, enqueueMail, invitationMail, invite } from './mail/account-mail.ts';
export {
  giveBack,
  monthOfQuota,
  quotaAt,
  quotaShape,
  take,
  takeTexts,
  takeUpTo,
  textQuotaAt,
  textQuotaShape,
  withinQuota,
} from './mail/email-quota.ts';
export { IDENTITY_PROBLEMS } from './problems.ts';
export { readBusinessName } from './business.ts';
export { accountMailParts } from './mail/mail-text.ts';
export {
  addressKey,
  countAcrossBusinesses,
  ON_ADDRESS,
  takeAttempt,
  throttleKey,
  type ThrottlePolicy,
} from './log-in/throttle.ts';
export { listUserEvents, noteUserEvent, type UserEvent } from './accounts/events.ts';

/** Callers: programs with their tokens, and people with their accounts. */
export const identity: Area = {
  name: 'identity',
  description: 'Identity of callers: machine tokens and the accounts of people.',
  tables: TABLES,
  names: [
    {
      kind: 'token',
      table: 'machine_token',
      columns: ['token_hash'],
      name: (row) => `left(encode(${row}.token_hash, 'hex'), 16)`,
    },
  ],
  needsViews: ['profile'],
  resources: [machineToken],
  endpoints: machineTokenEndpoints,
  problems: IDENTITY_PROBLEMS,
  feed: identityFeed,
  ports: [mailReaders],
  jobs: [sendAccountMail, deleteUnusedAccount],
  sweep: sweepAccounts,
  sweepTimes: [],
};
