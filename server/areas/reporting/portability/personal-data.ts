/** Everything that the business stores about one customer, as one JSON file. */
import { mayActForFamily, notYourMoney, type CustomerRow } from '../../people/customers/index.ts';
import { file, outside, type FileToSend } from '../../../kernel/api/endpoint.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import { PEOPLE, personOf } from './people.ts';
import { personalRows, personalTables, type PersonalTable } from '../../../kernel/base/db/person.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Database, CredentialCheck, Transaction } from '../../../kernel/base/db/database.ts';
import type { OfPerson } from '../../../kernel/base/db/table.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Declarations } from '../../../kernel/work/unit/work.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

/** The caller and the context of a request. */
interface Asking {
  readonly db: Database;
  readonly registry: Pick<Declarations, 'tables'>;
  readonly installation: Pick<Installation, 'box'>;
  readonly viewer: Viewer;
  readonly currency: string;
  readonly now: number;
  readonly standing?: CredentialCheck;
}

interface PersonalFile {
  readonly name: string;
  readonly type: string;
  readonly parts: AsyncIterable<string>;
}

/**
 * Returns the file about a customer whom the caller may ask about, in parts: one for each table. @throws Problem
 * not_found
 */
export async function dataOf(asking: Asking, customer: number): Promise<PersonalFile> {
  const { db, registry, viewer, standing } = asking;
  const { providerId, mode } = viewer;
  const found = await db.looking(
    providerId,
    async (tx) => {
      const row = await tx.one<CustomerRow>(
        sql`SELECT * FROM customer WHERE provider_id = ${providerId} AND id = ${customer} AND NOT is_walk_in`,
      );
      if (!row) throw notFound();
      if (mode !== 'provider' && row.id !== viewer.customerId) await checkFamily(tx, viewer, row);
      return {
        of: await personOf({ tx, providerId }, row),
        tables: await personalTables(tx, registry.tables, PEOPLE),
      };
    },
    standing,
  );
  // Internal notes about customers are for staff, who decide which of them a person gets.
  const tables = found.tables.filter(({ about }) => mode === 'provider' || !about.internal);
  return {
    name: `personal-data-${customer}.json`,
    type: 'application/json',
    parts: textOf(asking, { ...found, tables }),
  };
}

/**
 * Allows customers to ask for the children of the family that they manage. @throws Problem not_found, permission_denied
 */
async function checkFamily(tx: Transaction, { providerId, customerId }: Viewer, row: CustomerRow): Promise<void> {
  const me = await tx.one<CustomerRow>(
    sql`SELECT id, family_id, family_role, pays_for_family FROM customer
      WHERE provider_id = ${providerId} AND id = ${customerId} AND deleted_at IS NULL`,
  );
  const refusal = me && row.deleted_at === null ? mayActForFamily(placeOf(me), placeOf(row)) : notFound();
  if (refusal) throw refusal;
  // The file names what was paid for the child.
  if (row.id !== me!.id && !me!.pays_for_family) throw notYourMoney();
}

const placeOf = ({ id, family_id: familyId, family_role: familyRole }: CustomerRow) => ({ id, familyId, familyRole });

async function* textOf(
  { db, installation: { box }, viewer: { providerId }, currency, now, standing }: Asking,
  { of, tables }: { of: OfPerson; tables: readonly PersonalTable[] },
): AsyncGenerator<string> {
  const head = { business: providerId, customer: of.customer, currency, written_at: new Date(now).toISOString() };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const table of tables) {
    const rows = await db.lookingAnywhere(
      providerId,
      (tx) => tx.rows<{ row: Record<string, unknown> }>(personalRows(table, providerId, of)),
      standing,
    );
    if (rows.length === 0) continue;
    yield `,\n  ${JSON.stringify(table.about.called)}: [\n`;
    const readable = ({ row }: { row: Record<string, unknown> }) => {
      const shown = { ...row };
      for (const { column, called, open } of table.opened) {
        const text = open(box, { ...row, provider_id: providerId });
        delete shown[column];
        if (text !== null) shown[called] = JSON.parse(text);
      }
      return shown;
    };
    yield rows.map((row) => `    ${JSON.stringify(readable(row))}`).join(',\n');
    yield '\n  ]';
  }
  yield '\n}\n';
}

export const personalData = outside({
  method: 'GET',
  path: '/customers/{id}/personal_data',
  summary: "Download a customer's personal data",
  description:
    'Everything that the business has about this person, as one JSON file: who they are, their bookings, memberships, purchases, messages and so on. Data of other people is left out. Amounts are whole minor units of `currency`. Customers get their own data, and that of the children whose family they manage, without what staff note about them.',
  who: { provider: ['super_admin'], customer: true, unregistered: false },
  returns: file('application/json'),
  problems: ['permission_denied'],
  run: ({ db, registry, installation, viewer, tenant, now, params, standing }): Promise<FileToSend> => {
    const id = pathId(params.id);
    if (id === null) throw notFound();
    return dataOf({ db, registry, installation, viewer, now, standing, currency: tenant.currency }, id);
  },
});
