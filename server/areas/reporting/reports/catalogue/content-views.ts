/** Content of the library that customers opened: one row for each time. */
import { anyOf, COUNT, customerColumns, named, oneOfThese, within, yearAndMonth } from './common.ts';
import { column, report } from '../report.ts';
import { instant, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';

const content = named('content', 'n', 'the content');
const collection = named('collection', 'l', 'its collection');
const type = column(oneOf(['video', 'audio', 'document']), 'n.type', 'Whether it is a video, audio or a document.');

export const contentViewsReport = report('content_views', {
  title: 'views of the library',
  description: 'Who opened which content of the library, and when.',
  who: ['super_admin'],
  from: 'content_view u',
  joins: {
    c: raw('JOIN customer c ON c.provider_id = u.provider_id AND c.id = u.customer_id'),
    n: raw('JOIN content n ON n.provider_id = u.provider_id AND n.id = u.content_id'),
    l: raw('JOIN content_collection l ON l.provider_id = n.provider_id AND l.id = n.content_collection_id'),
  },
  id: 'u.id',
  venue: null,
  columns: {
    ...customerColumns('c'),
    ...content,
    ...collection,
    type,
    viewed_at: column(instant(), 'u.viewed_at', 'When it was opened.'),
  },
  sort: '-viewed_at',
  customer: 'customer.id',
  filters: {
    content: anyOf('u.content_id'),
    customers: anyOf('u.customer_id'),
    types: oneOfThese(['video', 'audio', 'document'], 'n.type'),
    ...within('viewed_at', 'u.viewed_at'),
  },
  grouped: {
    by: {
      ...customerColumns('c'),
      ...content,
      ...collection,
      type,
      ...yearAndMonth(sql`(u.viewed_at AT TIME ZONE ${ZONE})`, 'the view', ['year', 'month']),
    },
    measures: { count: COUNT },
  },
});
