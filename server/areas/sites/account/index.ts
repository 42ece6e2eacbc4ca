import { servePages, type PageRoute } from '../../../kernel/pages/pages.ts';
import { strayed } from '../../../kernel/pages/failing.ts';
import type { FastifyInstance } from 'fastify';
import type { Area } from '../../../kernel/api/area.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { AccountDoor } from '../../people/identity/index.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Pipeline } from '../../../kernel/api/requests/pipeline.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';
import type { Metrics } from '../../../kernel/base/metrics.ts';
import {
  businessAround,
  businesses,
  checkOperations,
  domainDoor,
  iconDoors,
  onlyAtInstallation,
  ownerOf,
  themeOf,
  type Business,
  type Connections,
  type ConsentDesk,
  type Desk,
  type LogInDesk,
} from '../frame/index.ts';
import { agreementRoutes } from './agreements.ts';
import { bookingRoutes } from './bookings.ts';
import { calendarRoutes } from './calendar.ts';
import { cardRoutes } from './cards.ts';
import { changeRoutes } from './change.ts';
import { checkoutRoutes } from '../checkout/index.ts';
import { dataRoutes } from './data.ts';
import { deviceRoutes } from './devices.ts';
import { elsewhere, logInPages } from '../log-in/index.ts';
import { endRoutes } from './ends.ts';
import { entryCodeRoutes } from './entry-code/entry-code.ts';
import { familyRoutes } from './family.ts';
import { confirmFirst, guestConfirmRoutes } from '../guests/index.ts';
import { giftCardRoutes, walletPages } from '../wallet/index.ts';
import { holdRoutes } from './holds.ts';
import { letterRoutes } from './letters.ts';
import { linkedRoutes, mailedEventRoutes, onlineRoutes } from '../events/index.ts';
import { membershipRoutes } from './memberships.ts';
import { passRoutes } from '../passes/index.ts';
import { paymentRoutes } from './payments.ts';
import { questionRoutes } from './questions.ts';
import { reportFileRoutes } from './report-file.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { settingsRoutes } from './settings.ts';
import { signingRoutes } from './signing.ts';
import { slotRoutes } from '../appointments/index.ts';

export { PUSH_SCRIPT } from './views/devices.ts';

/** The account of a person at a business, and everything that is served below /account. */
export const account: Area = {
  name: 'account',
  description: 'The account of a person at a business: what they booked and have, their family, messages and devices.',
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
  /** pages of later areas below /account */
  readonly more?: readonly ((desk: Desk) => PageRoute<Business>[])[];
}

const NO_CONNECTIONS: Connections = {
  list: async () => ({ connections: [], away: false }),
  registered: async () => [],
  end: async () => false,
};
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

const payingRoutes = (desk: Desk) => checkoutRoutes(desk, confirmFirst);

/** Serves everything below /account. */
export function accountPages(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl, installation } = options;
  domainDoor(http, { owner: (host) => ownerOf(door.db, host), limits });
  onlyAtInstallation(http, { owner: (host) => ownerOf(door.db, host), installation, publicUrl });
  iconDoors(http, { site: businesses(door.db), files: installation.files, limits });
  const desk = deskOf(options);
  // Pages where people book and pay are also served at the host name of the business.
  const anywhere = [
    mailedEventRoutes,
    linkedRoutes,
    onlineRoutes,
    slotRoutes,
    payingRoutes,
    giftCardRoutes,
    guestConfirmRoutes,
  ];
  const groups = [
    logInPages,
    settingsRoutes,
    secondFactorRoutes,
    membershipRoutes,
    paymentRoutes,
    bookingRoutes,
    holdRoutes,
    endRoutes,
    changeRoutes,
    cardRoutes,
    familyRoutes,
    letterRoutes,
    deviceRoutes,
    passRoutes,
    walletPages,
    calendarRoutes,
    entryCodeRoutes,
    questionRoutes,
    agreementRoutes,
    signingRoutes,
    dataRoutes,
    reportFileRoutes,
    ...(options.more ?? []),
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
