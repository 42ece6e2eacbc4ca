import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { servePages, type PageRoute } from '../../../kernel/pages/pages.ts';
import { strayed } from '../../../kernel/pages/failing.ts';
import { TABLES } from './tables.ts';
import type { FastifyInstance } from 'fastify';
import type { Area } from '../../../kernel/api/area.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { AccountDoor } from '../../people/identity/index.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Pipeline } from '../../../kernel/api/requests/pipeline.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';
import type { Metrics } from '../../../kernel/base/metrics.ts';
import { businessAround, businesses, ownerOf, type Business } from './business.ts';
import { domainDoor, domainInPath, onlyAtInstallation } from './domain-door.ts';
import { iconDoors } from './icon.ts';
import { elsewhere, handOverRoutes } from './hand-over.ts';
import { themeOf } from './brand.ts';
import { signUpRoutes } from './sign-up.ts';
import { forgetGuestForms, guestReader } from './guest/afterwards.ts';
import { guestConfirmRoutes } from './guest/confirm.ts';
import { GUEST_FEED } from './guest/feed.ts';
import { lookJob, sweepGuestBookings } from './guest/booking.ts';
import { mailJob } from './guest/mail.ts';
import { forgetSignUps } from './become-customer.ts';
import { mailedEventRoutes } from './event/routes.ts';
import { consentRoutes } from './consent.ts';
import { deviceRoutes } from './devices.ts';
import { familyRoutes } from './family.ts';
import { holdRoutes } from './holds.ts';
import { homeRoutes } from './home.ts';
import { invitationRoutes } from './invitation.ts';
import { letterRoutes } from './letters.ts';
import { logInLinkRoutes } from './log-in-link.ts';
import { logInRoutes } from './log-in.ts';
import { passRoutes } from './passes/routes.ts';
import { passwordRoutes } from './passwords.ts';
import { passkeyRoutes } from './passkeys.ts';
import { profileRoutes } from './profile.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { continueRoutes } from './continue.ts';
import { initiatePurchase } from './checkout/initiate.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import { calendarRoutes } from './calendar.ts';
import { dataRoutes } from './data.ts';
import { creditRoutes } from './credit.ts';
import { boughtCardRoutes } from './bought-cards.ts';
import { giftCardRoutes } from './gift-card.ts';
import { owedRoutes } from './owed.ts';
import { reportFileRoutes } from './report-file.ts';
import { slotRoutes } from './slots.ts';
import { checkOperations, type Connections, type ConsentDesk, type Desk, type LogInDesk } from './desk.ts';

export { businessByHost, businessBySlug, ownerOf, unlessForeign, type Business } from './business.ts';
export { at, insideOf, INSTALLATION, isOfBusiness, type Entrance } from './entrance.ts';
export {
  askAs,
  enter,
  received as heard,
  passwordWrong,
  waitFor,
  whence,
  memberOf,
  nowAt,
  refusal,
  type At,
  type ConsentDesk,
  type Desk,
  type Member,
} from './desk.ts';
export { shownTo, type Ask, type Entry } from './ask.ts';
export { businessData, sitePage, type Around } from './frame/frame.ts';
export { FRAME, type FrameKey } from './frame/messages.ts';
export { hasSite, inLanguage, sitePath, writtenWith, type PageName, type Written } from './frame/written.ts';
export { eventPageOf } from './event/path.ts';
export { eventRoutes } from './event/routes.ts';
export { mapOf } from './event/views/context.ts';
export { paragraphs } from './event/views/parts.ts';
export { addressIn, beginCheckout, fillCheckout, pageOfCheckout } from './checkout/begin.ts';
export { iconPath, PLAIN_COLOR } from './brand.ts';
export { checkMailPage } from './views/entry.ts';
export { forgottenRoute } from './passwords.ts';
export { logInRoutesAt } from './log-in.ts';
export { PASSKEY_SCRIPT } from './passkeys.ts';
export { PUSH_SCRIPT } from './views/devices.ts';
export { eyesOf, type Person } from './staff-viewer.ts';
export { bookPath, timesPath } from './slots/path.ts';
export { ownTimesOf, type Offered } from './slots/offered.ts';
export { bookRoutes } from './slots.ts';
export { GUEST as GUEST_CARD } from './gift-card.ts';
export { guestLink } from './guest/views.ts';
export { guestRoute, type Selling } from './guest/route.ts';
export { withReturn } from './views/parts.ts';
export { formCard, wordCard } from './views/card.ts';
export { codesCard } from './views/code.ts';
export { nameFields, newPassword, userEmail } from './views/fields.ts';
export { writtenFor } from './catalog.ts';
export { desksFor } from './applications-desk.ts';

/** Pages for people, next to the API. */
export const accounts: Area = {
  name: 'accounts',
  description: 'Pages for people: logging in, signing up, their account, consent, the page of an event, and paying.',
  namesInPath: [businessInPath(/^\/account\/(\d{1,15})(?=\/|$)/), domainInPath],
  tables: TABLES,
  endpoints: initiatePurchase,
  readers: [guestReader],
  feed: GUEST_FEED,
  jobs: [lookJob, mailJob],
  sweep: async (tx, now) => {
    await forgetSignUps(tx, now);
    await forgetGuestForms(tx, now);
    await sweepGuestBookings(tx, now);
  },
  sweepTimes: [],
};

export interface AccountPagesOptions {
  readonly door: AccountDoor;
  readonly registry: Registry;
  readonly pipeline: Pipeline;
  readonly installation: Installation;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, 'request'>;
  /** public address of the service; absent: the address of the request */
  readonly publicUrl: string | undefined;
  /** of the applications area; without it nothing is connected */
  readonly connections?: Connections;
  readonly consents?: ConsentDesk;
  readonly logIns?: LogInDesk;
}

const NO_CONNECTIONS: Connections = { list: async () => ({ connections: [], away: false }), end: async () => false };
const NO_CONSENTS: ConsentDesk = { question: async () => null, answer: async () => null };
const NO_LOG_INS: LogInDesk = { waiting: async () => null, arrived: async () => null };

const themeRoute: PageRoute<Business> = {
  path: '/{provider_id}/theme.css',
  charged: 'page',
  atOwnHost: true,
  get: ({ site }) => ({
    kind: 'document',
    document: { type: 'text/css; charset=utf-8', body: themeOf(site.look), headers: {} },
  }),
};

/** Returns the answer to browsers that request an unknown path. */
export const strayedBrowsers = ({
  door,
  limits,
  publicUrl,
}: Pick<AccountPagesOptions, 'door' | 'limits' | 'publicUrl'>) =>
  strayed({ limits, publicUrl, site: businessAround(door.db, publicUrl) });

/** Returns the dependencies of the pages for people. */
export function deskOf({
  door,
  registry,
  pipeline,
  installation,
  connections = NO_CONNECTIONS,
  consents = NO_CONSENTS,
  logIns = NO_LOG_INS,
}: AccountPagesOptions): Desk {
  checkOperations(registry);
  return { door, registry, pipeline, installation, connections, consents, logIns };
}

/** Serves everything below /account. */
export function accountPages(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl, installation } = options;
  domainDoor(http, { owner: (host) => ownerOf(door.db, host), limits });
  onlyAtInstallation(http, { owner: (host) => ownerOf(door.db, host), installation, publicUrl });
  iconDoors(http, { site: businesses(door.db), files: installation.files, limits });
  const desk = deskOf(options);
  // Pages where people book and pay are also served at the host name of the business.
  const anywhere = [mailedEventRoutes, slotRoutes, checkoutRoutes, giftCardRoutes, guestConfirmRoutes];
  const groups = [
    logInRoutes,
    handOverRoutes,
    logInLinkRoutes,
    signUpRoutes,
    passwordRoutes,
    invitationRoutes,
    profileRoutes,
    secondFactorRoutes,
    passkeyRoutes,
    homeRoutes,
    holdRoutes,
    familyRoutes,
    letterRoutes,
    deviceRoutes,
    passRoutes,
    consentRoutes,
    continueRoutes,
    owedRoutes,
    creditRoutes,
    calendarRoutes,
    dataRoutes,
    reportFileRoutes,
    boughtCardRoutes,
  ];
  servePages<Business>(http, {
    prefix: '/account',
    routes: [
      themeRoute,
      ...groups.flatMap((routes) => routes(desk)),
      ...anywhere.flatMap((routes) => routes(desk)).map((route) => ({ ...route, atOwnHost: true })),
    ],
    site: businesses(door.db, publicUrl),
    elsewhere: elsewhere(desk),
    limits,
    metrics,
    now: door.now,
    publicUrl,
  });
}
