/** Scripts of our own: static files that browsers may keep for ever, because another text has another name. */
import { hash } from 'node:crypto';
import { html, type Html } from '../base/markup/html.ts';
import type { Document } from '../api/document.ts';
import type { PageRoute } from './pages.ts';
import type { Site } from './visit.ts';

export interface Script {
  /** where it is: `/assets/timetable-3f2a91c4.js` */
  readonly path: string;
  readonly document: Document;
  /** loads it, after the page that it stands in */
  readonly tag: Html;
}

export function scriptOf(name: string, body: string, headers: Record<string, string> = {}): Script {
  const path = `/assets/${name}-${hash('sha1', body, 'hex').slice(0, 8)}.js`;
  return {
    path,
    document: {
      type: 'text/javascript; charset=utf-8',
      body,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', ...headers },
    },
    tag: html`<script type="module" src="${path}"></script>\n`,
  };
}

/** Serves it to everybody. */
export const scriptRoute = ({ path, document }: Script): PageRoute<Site> => ({
  path,
  charged: 'page',
  get: async () => ({ kind: 'document', document }),
});
