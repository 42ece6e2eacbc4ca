/** Waivers: one row for each signature, and one for each signature that is missing. */
import { anyOf, COUNT, customerColumns, named, within } from './common.ts';
import { appliesTo, isSigned } from '../../../agreements/waivers/index.ts';
import { column, report } from '../report.ts';
import { instant, oneOf, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { NOW } from '../moment.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Column } from '../columns.ts';

const AT = sql`${NOW}`;
const WHO = ['customers', 'attendances', 'pos'] as const;
const waiver = named('waiver', 'w', 'the waiver');

const download: Column = {
  ...column(uri(), 's.id', 'Address of the signed document. It needs the same permission as the report.', {
    sortable: false,
  }),
  make: ([id], { baseUrl }) => `${baseUrl}/api/v2/waiver_agreements/${id}/download`,
};

export const waiverSignaturesReport = report('waiver_signatures', {
  title: 'signed waivers',
  description: 'Who signed which waiver, and when.',
  who: WHO,
  from: 'waiver_agreement s',
  joins: {
    c: raw('JOIN customer c ON c.provider_id = s.provider_id AND c.id = s.customer_id'),
    w: raw('JOIN waiver w ON w.provider_id = s.provider_id AND w.id = s.waiver_id'),
  },
  id: 's.id',
  venue: null,
  customer: 'customer.id',
  columns: {
    ...customerColumns('c'),
    ...waiver,
    signed_at: column(instant(), 's.signed_at', 'When it was signed.'),
    signer_name: column(text(), 's.signer_name', 'Name of the person who signed, for example a parent.'),
    download_url: download,
  },
  sort: '-signed_at',
  filters: {
    customers: anyOf('s.customer_id'),
    waivers: anyOf('s.waiver_id'),
    ...within('signed_at', 's.signed_at'),
  },
  grouped: { by: waiver, measures: { count: COUNT } },
});

const ifUnsigned = column(
  oneOf(['refuse_booking', 'refuse_check_in', 'show_at_door']),
  'w.if_unsigned',
  'What happens until it is signed.',
);

export const unsignedWaiversReport = report('unsigned_waivers', {
  title: 'unsigned waivers',
  description:
    'Waivers that customers have to sign, and have not signed: because everyone does, for a membership, or for a booking.',
  who: WHO,
  from: sql`(SELECT c.provider_id, c.id AS customer_id, w.id AS waiver_id,
      c.id * 1000000 + w.id % 1000000 AS id
    FROM customer c JOIN waiver w ON w.provider_id = c.provider_id AND NOT w.archived
    WHERE c.deleted_at IS NULL AND NOT c.is_lead AND NOT c.is_walk_in
      AND ${appliesTo('w', raw('c.id'), AT)} AND NOT ${isSigned('w', raw('c.id'), AT)}) u`,
  joins: {
    c: raw('JOIN customer c ON c.provider_id = u.provider_id AND c.id = u.customer_id'),
    w: raw('JOIN waiver w ON w.provider_id = u.provider_id AND w.id = u.waiver_id'),
  },
  id: 'u.id',
  venue: null,
  customer: 'customer.id',
  columns: { ...customerColumns('c'), ...waiver, if_unsigned: ifUnsigned },
  sort: 'customer.name',
  filters: { customers: anyOf('u.customer_id'), waivers: anyOf('u.waiver_id') },
  grouped: { by: { ...waiver, if_unsigned: ifUnsigned }, measures: { count: COUNT } },
});
