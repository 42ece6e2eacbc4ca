import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './app/calls.ts';
import { session } from './app/session.ts';
import { router } from './router.tsx';
import { ui } from './ui/words.ts';
import { words as shell } from './shell/words.ts';
import './style/index.css';

const RELOADED = 'rollcall.reloaded';

// The page belongs to an earlier build, whose files are gone; reloading gets the current one. Without a connection, or
// if reloading did not help, the screen says that it can't be reached.
addEventListener('vite:preloadError', () => {
  if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(RELOADED)) < 10_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

const Denied = lazy(async () => {
  const part = await import('./entry/denied.tsx');
  await part.ready;
  return { default: part.Denied };
});

function Dashboard() {
  const state = useSyncExternalStore(session.subscribe, session.state);
  if (state === 'elsewhere' || state === 'rejected')
    return (
      <Suspense>
        <Denied why={state} />
      </Suspense>
    );
  return <RouterProvider router={router} />;
}

await Promise.all([shell.ready, ui.ready]);

createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={queries}>
    <Dashboard />
  </QueryClientProvider>,
);
