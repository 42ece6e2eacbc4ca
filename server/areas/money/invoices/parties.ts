/** The issuer and the recipient of an invoice, with their names on the day of issue. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Parties {
  readonly seller: {
    readonly name: string;
    readonly address: readonly string[];
    readonly email: string | null;
    readonly phone_number: string | null;
    readonly tax_number: string | null;
    /** text at the end of the invoice */
    readonly note: string | null;
  };
  readonly buyer: { readonly name: string; readonly email: string | null };
}

type Address = Readonly<Record<string, string | null | undefined>>;

interface Row {
  readonly id: number;
  readonly seller: string;
  readonly address: Address | null;
  readonly seller_email: string | null;
  readonly phone_number: string | null;
  readonly tax_number: string | null;
  readonly note: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** Reads the parties, by customer. */
export async function partiesOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  customers: readonly number[],
): Promise<Map<number, Parties>> {
  const rows = await tx.rows<Row>(sql`
    SELECT c.id, coalesce(s.legal_name, p.name) AS seller, p.address, p.contact_email AS seller_email,
           p.contact_phone_number AS phone_number, s.tax_number, s.note,
           nullif(concat_ws(' ', c.first_name, c.last_name), '') AS name, c.email
    FROM customer c JOIN provider p ON p.provider_id = c.provider_id
    LEFT JOIN invoice_settings s ON s.provider_id = p.provider_id
    WHERE c.provider_id = ${providerId} AND c.id = ANY(${customers}::bigint[])`);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        seller: {
          name: row.seller,
          address: addressLines(row.address ?? {}),
          email: row.seller_email,
          phone_number: row.phone_number,
          tax_number: row.tax_number,
          note: row.note,
        },
        buyer: { name: row.name ?? row.email ?? `Customer ${row.id}`, email: row.email },
      },
    ]),
  );
}

/** Returns the address in the format of a letter; unknown parts are left out. */
const addressLines = ({ street, street_secondary, postal_code, city, region, country }: Address): string[] =>
  [street, street_secondary, [postal_code, city, region].filter(Boolean).join(' '), country].filter(
    (line): line is string => typeof line === 'string' && line !== '',
  );
