/** Our own scripts: static files that browsers may cache forever, because changed content has a new name. */
import { hash } from 'node:crypto';
import { html, type Html } from '../base/markup/html.ts';
import type { Document } from './document.ts';

export interface Script {
  /** path of the file, for example `/assets/timetable-3f2a91c4.js` */
  readonly path: string;
  readonly document: Document;
  /** loads the script after the page that contains it */
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
