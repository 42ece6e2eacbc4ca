/**
 * The first page of an installation: the home page of its only business, or a list of the businesses that want to be
 * listed.
 */
import { hasBusiness } from '../../platform/providers/index.ts';
import { firstLine } from '../events/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { bareFrame, page, seeOther, type PageAnswer, type Site, type Visit } from '../../../kernel/pages/visit.ts';
import { ENGLISH, readerOf } from '../../../kernel/base/languages/languages.ts';
import { CATALOG } from './messages.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const MAX_ROWS = 500;

interface Entry {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly [column: string]: unknown;
}

export const directoryRoute = (db: Database): PageRoute<Site> => ({
  path: '/',
  charged: 'page',
  get: async (visit) => {
    const found = await db.acrossTenants('the first page lists the businesses of the installation', (tx) =>
      tx.rows<Entry>(
        sql`SELECT slug, name, description FROM provider WHERE is_listed AND slug IS NOT NULL
          ORDER BY lower(name), provider_id LIMIT ${MAX_ROWS}`,
      ),
    );
    if (found.length === 0 && !(await db.acrossTenants('an installation without a business is set up', hasBusiness)))
      return seeOther('/set-up');
    return found.length === 1 ? seeOther(`/${found[0].slug}`) : directory(visit, found);
  },
});

function directory({ accepts, language }: Visit, found: readonly Entry[]): PageAnswer {
  const reader = readerOf(accepts, language, ENGLISH);
  const say = CATALOG.for(reader, DEFAULT_WORDS);
  const title = say('directory.title');
  const body = html`<div class="wide site"><div class="page-title"><h1>${title}</h1></div>
<section class="card">${
    found.length === 0
      ? html`<p>${say('directory.none')}</p><p class="actions"><a class="button quiet" href="/docs">API</a></p>`
      : html`<ul class="rows">${found.map(
          ({ slug, name, description }) =>
            html`<li><div><a href="/${slug}"><strong>${name}</strong></a>${
              description ? html`<p class="soft">${firstLine(description)}</p>` : null
            }</div></li>`,
        )}</ul>`
  }</section></div>`;
  return page(title, body, {
    open: true,
    frame: bareFrame(reader),
  });
}
