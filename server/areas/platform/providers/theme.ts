/** The icon that identifies the business among the apps on a phone. */
import { action, get, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { changePictures } from './business.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';
import { imageRef, shownImage } from '../images/index.ts';
import { providerFeed } from './feed.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const providerTheme = resource('provider_theme', {
  description: 'The icon and name of a business on the home screen of a phone.',
  table: 'provider',
  idColumn: 'provider_id',
  fields: {
    id: id()
      .from((t) => raw(`${t}.provider_id`))
      .describe('The id of the business.'),
    homescreen_logo: shownImage(
      (t) => sql`(SELECT h.homescreen_logo_id FROM provider_theme h WHERE h.provider_id = ${raw(t)}.provider_id)`,
    )
      .nullable()
      .describe(
        'The icon of the pages in browsers and on phones. If it is null, the icon is made from `logo` of the business.',
      ),
  },
  visible: { provider: true, customer: false, unregistered: false },
});

const about = { path: '/providers/{id}/theme', who: staffWith('super_admin', 'developer') } as const;

export const themeEndpoints = [
  get(providerTheme, { ...about, summary: 'Get the theme of the business' }),
  action({
    ...about,
    method: 'PATCH',
    summary: 'Update the theme of the business',
    description: 'Sets the icon of the pages in browsers and on phones. Null goes back to the logo.',
    target: providerTheme,
    returns: one(providerTheme),
    body: { homescreen_logo: imageRef().nullable().optional() },
    run: async ({ work, body: { homescreen_logo: icon }, target }) => {
      await changePictures(work, { homescreen_logo_id: icon });
      if (icon !== undefined)
        work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['theme'] });
      return target.provider_id;
    },
  }),
];
