import type { Area } from '../../../kernel/api/area.ts';
import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { domainInPath } from './domain-door.ts';

export { domainDoor, onlyAtInstallation } from './domain-door.ts';
export {
  accountPage,
  acting,
  hasRequirements,
  memberPage,
  openPage,
  pageFlow,
  reading,
  refusedAt,
  refusedDraft,
  valuesIn,
  withForm,
  type Acting,
  type Asker,
  type Outcome,
  type Turn,
} from './page-flow.ts';
export { iconDoors } from './icon.ts';
export { businessAround, businesses } from './business.ts';
export { themeOf } from './brand.ts';
export { checkOperations } from './desk.ts';
export { type Ask, type Effect, type Entry, type EntryWhole, shownTo, unlessMissing } from './ask.ts';
export { PLAIN_COLOR, iconPath } from './brand.ts';
export { type Business, businessByHost, businessBySlug, ownerOf, unlessForeign } from './business.ts';
export {
  ACCOUNT,
  type AccountKey,
  type AccountSay,
  type Written as AccountWritten,
  type NoticeKey,
  isNoticeKey,
  writtenFor,
} from './catalog.ts';
export {
  type At,
  type Connection,
  type Connections,
  type RegisteredAssistant,
  type ChosenForAssistant,
  type ConsentDesk,
  type ConsentQuestion,
  type Desk,
  type LogInDesk,
  type Member,
  askAlone,
  askAs,
  enter,
  forMembers,
  memberOf,
  nowAt,
  passwordWrong,
  received,
  refusal,
  waitFor,
  whence,
  wordsFor,
} from './desk.ts';
export { effectsOf, numberIn, textIn } from './effects.ts';
export { type Entrance, INSTALLATION, at, dashboardOf, pageAfterLogIn, leadsBackTo } from './entrance.ts';
export { eventPageOf, guestPageOf, seriesPageOf } from './event-path.ts';
export { type Around, businessData, sitePage } from './frame.ts';
export { drawnIcon } from './icon.ts';
export { FRAME, PAYER_TEXTS, type FrameKey, type PayerKey } from './messages.ts';
export { MAX_PAYERS, payerIn, usableMemberships, type Payer } from './payers.ts';
export { bookPath, slotsPath, timePath, timesPath } from './slot-path.ts';
export { type Person, actingAs, loadStaffViewer, staffViewer } from './staff-viewer.ts';
export { type CardLook, formCard, ownPage, partPath, section, standingOut, wordCard } from './views/card.ts';
export { codesCard } from './views/code.ts';
export { deviceText, namesOf } from './views/device.ts';
export {
  calendarFields,
  childFields,
  codeFields,
  codeOwnerFields,
  codesFields,
  confirmFields,
  consentFields,
  emailFields,
  forgotFields,
  handOverFields,
  holdFields,
  idFields,
  invitationFields,
  inviteFields,
  joinFields,
  logInFields,
  codeLogInFields,
  mailedCodeFields,
  newcomerFields,
  nameFields,
  newPassword,
  offFields,
  passkeyFields,
  passkeyLogInFields,
  passwordLogInFields,
  passkeyNameFields,
  passwordFields,
  proofFields,
  provenFields,
  pushFields,
  resetFields,
  secondFactorFields,
  signUpFields,
  startFields,
  takeFields,
  ticketFields,
  userEmail,
} from './views/fields.ts';
export {
  answersIn,
  keptAnswers,
  withMissingExplanations,
  withRefusedAnswers,
  QUESTION,
  questionFields,
  questionsWritten,
  type Question,
} from './questions.ts';
export { afterPaying, bookWith, choicesList, payerName, type Choice } from './views/payers.ts';
export {
  agreementsWritten,
  linesField,
  pictureOf,
  SIGNATURE_SCRIPT,
  signaturePad,
  signedText,
  type AgreementsWritten,
} from './signatures.ts';
export { planTerms, type ShownPlan } from './views/plan-terms.ts';
export {
  buttonForm,
  doneNotice,
  startForm,
  startLink,
  statusOf,
  withDone,
  withReturn,
  wordPage,
} from './views/parts.ts';
export { askWays, waysAfter, waysOn, waysOrAsk, wayTo, type Refused } from './views/ways-on.ts';
export { type Written, hasSite, inLanguage, sitePath, writtenWith } from './written.ts';

/** The frame of all pages for people: the business, its look, the person, and typed calls of the interface. */
export const frame: Area = {
  name: 'frame',
  description:
    'The frame of all pages for people: the business, its look, the person, and typed calls of the interface.',
  namesInPath: [businessInPath(/^\/account\/(\d{1,15})(?=\/|$)/), domainInPath],
};
