/** The routes. Filters and drafts are part of the address, so that links restore them. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Failed, Loading } from './ui/states.tsx';
import { NotHere } from './shell/not-here.tsx';
import { SCREENS, type ScreenName } from './screens.ts';
import { Shell } from './shell/shell.tsx';
import { useWorkplaces, workplaces } from './app/workplaces.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotHere });

const first = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const all = await workplaces();
    if (all.length === 1) throw redirect({ href: `/dashboard/${all[0].id}`, replace: true });
  },
  component: lazyRouteComponent(() => import('./shell/choose.tsx'), 'Choose'),
});

const business = createRoute({
  getParentRoute: () => root,
  path: '$business',
  loader: () => workplaces(),
  component: function AtBusiness() {
    const { business: wanted } = business.useParams();
    // The name and time zone of the business can change while the page is open.
    const found = useWorkplaces().find(({ id }) => String(id) === wanted);
    return found ? <Shell key={found.id} business={found} /> : <NotHere />;
  },
});

const home = createRoute({
  getParentRoute: () => business,
  path: '/',
  beforeLoad: async ({ params: { business: wanted } }) => {
    const { firstScreen } = await import('./set-up/first-screen.ts');
    throw redirect({ href: `/dashboard/${wanted}/${await firstScreen(wanted)}`, replace: true });
  },
});

const loadFiles = () => import('./screen-files.ts');
// Begins now, beside the first reads. If it fails, the screen loads it again, and reports the error.
loadFiles().catch(() => {});

const screens = (Object.keys(SCREENS) as ScreenName[]).map((name) =>
  createRoute({
    getParentRoute: () => business,
    path: SCREENS[name].path as string,
    component: lazyRouteComponent(async () => {
      const screen = await (await loadFiles()).SCREEN_FILES[name]();
      await screen.ready;
      return { default: screen.Screen };
    }),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([first, business.addChildren([home, ...screens])]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} again={reset} />,
  defaultNotFoundComponent: NotHere,
  scrollRestoration: true,
  // Values in an address are text; screens parse them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const said = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
