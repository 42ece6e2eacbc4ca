import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './app/calls.ts';
import { router } from './router.tsx';
import { ui } from './ui/words.ts';
import { words as shell } from './shell/words.ts';
import './style/index.css';

// The page is of an earlier build: what it wants is gone, and the page of today has it.
addEventListener('vite:preloadError', () => location.reload());

await Promise.all([shell.ready, ui.ready]);

createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
