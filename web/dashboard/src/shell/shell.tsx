/** The frame of every screen: navigation, search, and important notices. */
import { locale } from '../words/language.ts';
import { amounts } from '../app/amount-ways.ts';
import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { BusinessContext, may, ScreensContext, type Business } from '../app/business.ts';
import { Changes } from '../changes/change.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { Icon } from '../ui/icon.tsx';
import { maySeeCustomers } from '../app/customers.ts';
import { SCREENS, type ScreenKind, type ScreenName } from '../screens.ts';
import { SessionLost } from './session-lost.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { useAddress } from '../app/address.ts';
import { useShortcuts } from './keys.ts';
import { words } from './words.ts';
import { Menu } from './menu.tsx';
import { Nav } from './nav.tsx';
import { titleOf } from './titles.ts';
import search from 'icon:search';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(async () => {
  const palette = await loadPalette();
  await palette.ready;
  return { default: palette.Palette };
});
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }));

const PersonSheet = lazy(async () => {
  const sheet = await import('../person/sheet.tsx');
  await sheet.ready;
  return { default: sheet.PersonSheet };
});

const LATER_MS = 1000;

/**
 * A tab reads before it follows the stream. Items from this time on may be new to it; the minute allows for clock
 * differences.
 */
const READING_SINCE = Date.now() - 60_000;

const KINDS = SCREENS as Readonly<Record<string, ScreenKind>>;

const IN_NAVIGATION = (Object.entries(KINDS) as [ScreenName, ScreenKind][]).filter(
  ([, { icon }]) => icon !== undefined,
);

/** Returns the screens of the navigation that the person may use. */
const shownTo = (business: Business): [ScreenName, ScreenKind][] =>
  IN_NAVIGATION.filter(([, { needs }]) => needs.length === 0 || may(business, ...needs));

const online = {
  subscribe: (changed: () => void) => {
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  },
  now: () => navigator.onLine,
};

/** Returns the screen of the current address. */
function useScreen(): [ScreenName, ScreenKind] | undefined {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  return (Object.entries(KINDS) as [ScreenName, ScreenKind][]).find(([, kind]) => path === `/$business/${kind.path}`);
}

export function Shell({ business }: { readonly business: Business }) {
  const navigate = useNavigate();
  const isOnline = useSyncExternalStore(online.subscribe, online.now);
  const [asking, setAsking] = useState<'palette' | 'shortcuts' | null>(null);
  const shown = useMemo(() => shownTo(business), [business]);
  const screens = useMemo(() => IN_NAVIGATION.map(([name, { needs }]) => ({ title: titleOf(name), needs })), []);
  const screen = useScreen();
  const [{ person }] = useAddress();
  useEffect(() => {
    amounts.ways = { locale, country: business.country };
    const ended = new AbortController();
    // Loaded after the shell is shown. If it can't be loaded, the person still sees current data after every change.
    void import('../app/live.ts').then(
      ({ follow }) =>
        ended.signal.aborted || follow(business.id, may(business, 'developer'), READING_SINCE, ended.signal),
      () => {},
    );
    return () => ended.abort();
  }, [business]);
  useEffect(() => {
    // Preloads the palette after the screen, so that text typed right after Ctrl K reaches its field.
    const load = () => Promise.all([loadPalette(), import('../style/print.css')]);
    const timer = setTimeout(() => void load().catch(() => {}), LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  // Before the effect of a page about one thing, which is more precise.
  useLayoutEffect(() => {
    document.title = [screen && titleOf(screen[0]), business.name].filter(Boolean).join(' – ');
  }, [screen, business.name]);
  const keys = useMemo(
    () => ({
      'mod+k': () => setAsking('palette'),
      '?': () => setAsking('shortcuts'),
      ...Object.fromEntries(
        shown
          .filter(([, { key }]) => key !== undefined)
          .map(([, { key, path }]) => [`g ${key}`, () => void navigate({ to: `/${business.id}/${path}` as string })]),
      ),
    }),
    [shown, navigate, business.id],
  );
  useShortcuts(keys);
  const allowed = !screen || screen[1].needs.length === 0 || may(business, ...screen[1].needs);
  return (
    <BusinessContext value={business}>
      <Changes>
        <div className="shell">
          <a className="skip" href="#content">
            {words.say('skip')}
          </a>
          <header className="top">
            <span className="top-name">
              {business.name} {business.isTest ? <span className="tag">{words.say('test')}</span> : null}
            </span>
            <button
              type="button"
              className="top-search"
              onClick={() => setAsking('palette')}
              aria-keyshortcuts="Control+K"
            >
              <Icon of={search} />
              <span>{words.say('palette')}</span>
              <kbd>Ctrl K</kbd>
            </button>
            <Menu business={business} onShortcuts={() => setAsking('shortcuts')} />
          </header>
          <Nav business={business.id} shown={shown} />
          <main id="content" tabIndex={-1}>
            {isOnline ? null : (
              <p className="notice" role="status">
                {words.say('offline')}
              </p>
            )}
            {allowed ? (
              <ScreensContext value={screens}>
                <Suspense fallback={<Loading />}>
                  <Outlet />
                </Suspense>
              </ScreensContext>
            ) : (
              <Empty whole title={words.say('forbidden')}>
                <p>{words.say('forbidden.next', { business: business.name })}</p>
              </Empty>
            )}
          </main>
        </div>
        <Suspense>
          {Number(person) > 0 && maySeeCustomers(business) ? <PersonSheet key={person} id={Number(person)} /> : null}
          {asking === 'palette' ? <Palette screens={shown} onClose={() => setAsking(null)} /> : null}
          {asking === 'shortcuts' ? <Shortcuts screens={shown} onClose={() => setAsking(null)} /> : null}
        </Suspense>
        <Toasts />
        <SessionLost />
      </Changes>
    </BusinessContext>
  );
}
