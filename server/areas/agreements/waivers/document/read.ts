/** Reads a signature for printing. */
import { paperIn } from '../../../../kernel/base/pdf/paper.ts';
import { purposeOf } from '../waiver.ts';
import { readerIn } from '../../../../kernel/base/languages/languages.ts';
import { spokenMoment } from '../../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { textFor, type Translation } from '../../policies/index.ts';
import { waiverSay } from './messages.ts';
import type { FileToSend } from '../../../../kernel/api/endpoint.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Printed {
  readonly business: string;
  readonly country: string;
  readonly number: number;
  readonly text: string;
  readonly translations: readonly Translation[];
  readonly title: string;
  readonly language: string | null;
  readonly customer: string;
  readonly signer: string;
  readonly at: number;
  readonly sealed: string | null;
  readonly address: string | null;
}

/** Returns the document of a signature, in the language that was signed. */
export async function signedDocument(work: Work, { id }: Readonly<Record<string, any>>): Promise<FileToSend> {
  const { tx, providerId, installation, tenant } = work;
  const row = (await tx.one<Printed>(sql`
    SELECT p.name AS business, p.country, v.number, v.text, v.translations, a.title, a.language,
      a.customer_name AS customer, a.signer_name AS signer, a.signed_at AS at, a.sealed, a.address_hash AS address
    FROM waiver_agreement a
    JOIN waiver_version v ON v.provider_id = a.provider_id AND v.id = a.waiver_version_id
    JOIN provider p ON p.provider_id = a.provider_id
    WHERE a.provider_id = ${providerId} AND a.id = ${id}`))!;
  const reader =
    row.language === null
      ? readerIn(row.country, tenant.reader?.language ?? null)
      : readerIn(row.country, row.language);
  const say = waiverSay(reader);
  const png = row.sealed === null ? null : installation.box.open(purposeOf(providerId, id), row.sealed);
  const facts = [
    say('fact.for', { name: row.customer }),
    say('fact.signer', { name: row.signer }),
    say('fact.at', { moment: spokenMoment(reader, row.at, tenant.zone), zone: tenant.zone }),
    say('fact.version', { number: row.number }),
    say('fact.number', { number: id }),
    ...(row.address === null ? [] : [say('fact.address', { hash: row.address })]),
  ];
  return {
    name: `waiver-${id}.pdf`,
    type: 'application/pdf',
    // Loaded on first use: the PDF writer takes memory that a service without documents doesn't need.
    draw: async () =>
      (await import('./pdf.ts')).signedPdf({
        size: paperIn(row.country),
        at: row.at,
        title: row.title,
        author: row.business,
        locale: reader.locale,
        text: textFor(row.text, row.translations, row.language ?? ''),
        facts,
        signature:
          png === null ? null : { png: Buffer.from(png, 'base64'), alt: say('signature', { name: row.signer }) },
        signed: say('signature', { name: row.signer }),
        footer: (n, count) => say('page.of', { business: row.business, title: row.title, n, count }),
      }),
  };
}
