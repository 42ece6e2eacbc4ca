/** The page that describes the open data of a business, for people and programs. It is in English, for developers. */
import { askAs, loadStaffViewer, sitePage, type At, type Desk } from '../../frame/index.ts';
import { conceptScheme, organizerOf } from './session.ts';
import { feedPath, FOR_ALL } from './page.ts';
import { html, Html } from '../../../../kernel/base/markup/html.ts';
import { LICENSE, openPath } from './addresses.ts';
import { page, type Shown } from '../../../../kernel/pages/visit.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { writtenFor } from '../../booking/index.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Document } from '../../../../kernel/pages/document.ts';

const MAX_ROWS = 100;

/** Returns structured data. Browsers never run it, and nothing in it can close its element. */
const linkedData = (data: object): Html =>
  new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);

const datasetOf = (visit: At): object => {
  const { site, baseUrl } = visit;
  const url = `${baseUrl}${openPath(site)}`;
  return {
    '@context': ['https://openactive.io/', 'https://schema.org/'],
    '@type': 'Dataset',
    '@id': url,
    url,
    name: `${site.name}: open data`,
    description: `Everything that ${site.name} offers, with times, locations and availability.`,
    keywords: ['OpenActive', 'Activities', 'Sports', 'Physical Activity'],
    license: LICENSE,
    discussionUrl: `${baseUrl}${site.home}`,
    documentation: 'https://permalink.openactive.io/dataset-site/open-data-documentation',
    inLanguage: ['en'],
    schemaVersion: 'https://openactive.io/modelling-opportunity-data/2.0/',
    publisher: organizerOf(visit),
    distribution: [
      {
        '@type': 'DataDownload',
        name: 'ScheduledSession',
        additionalType: 'https://openactive.io/ScheduledSession',
        encodingFormat: 'application/vnd.openactive.rpde+json; version=1',
        contentUrl: `${baseUrl}${feedPath(site)}`,
      },
    ],
  };
};

export function datasetPage(visit: At): Shown {
  const { site, baseUrl } = visit;
  const feed = `${baseUrl}${feedPath(site)}`;
  const body = html`<div class="page-title"><h1>Open data</h1><p>${site.name}</p></div>
<section class="card">
<p>What ${site.name} offers is open data, in the format of <a href="https://openactive.io/">OpenActive</a>: when and
where it is, what is free, and what it costs.</p>
<dl class="facts"><div><dt>Feed</dt><dd><a href="${feed}">${feed}</a></dd></div>
<div><dt>License</dt><dd><a href="${LICENSE}">Creative Commons Attribution 4.0</a></dd></div></dl></section>
${linkedData(datasetOf(visit))}`;
  return sitePage(visit, writtenFor(visit), 'Open data', body, {
    here: null,
    description: `The offerings of ${site.name}, as open data.`,
    personal: false,
  });
}

/** Returns the business's offerings, as a list that its sessions refer to. */
export function activities(desk: Desk, visit: At): Promise<Document> {
  return desk.door.db.lookingAnywhere(visit.site.id, async (tx) => {
    const { viewer } = await loadStaffViewer(tx, visit, null);
    const { results } = await askAs(
      desk,
      visit,
      viewer,
      tx,
    )('GET /offering_types', {
      query: { fields: 'id,name', page_size: MAX_ROWS },
    });
    const body = JSON.stringify(conceptScheme(visit, results));
    return { type: 'application/ld+json; charset=utf-8', body, headers: FOR_ALL };
  });
}

/** Returns the data of all businesses that publish it. */
export async function catalogPage(db: Database, baseUrl: string): Promise<Shown> {
  const found = await db.readAcrossTenants<{ name: string; home: string }>(
    'the catalog names the open data of all businesses that publish it',
    sql`SELECT name, '/' || slug AS home FROM provider WHERE publishes_open_data AND NOT is_test AND slug IS NOT NULL
      ORDER BY lower(name), provider_id LIMIT 10000`,
  );
  const url = `${baseUrl}/openactive`;
  const data = {
    '@context': ['https://openactive.io/', 'https://schema.org/'],
    '@type': 'DataCatalog',
    '@id': url,
    name: 'Open data of all businesses',
    license: LICENSE,
    publisher: { '@type': 'Organization', name: 'Rollcall', url: baseUrl },
    dataset: found.map((one) => `${baseUrl}${openPath(one)}`),
  };
  const body = html`<div class="wide site"><div class="page-title"><h1>Open data</h1></div>
<section class="card">
<p>What these businesses offer is open data, in the format of <a href="https://openactive.io/">OpenActive</a>.</p>
<ul class="rows">${found.map((one) => html`<li><a href="${openPath(one)}">${one.name}</a></li>`)}</ul></section></div>
${linkedData(data)}`;
  return page('Open data', body, { open: true });
}
