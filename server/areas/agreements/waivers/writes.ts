/** The only code that writes waivers, their texts and signatures. */
import { isDeepStrictEqual } from 'node:util';
import { checkActsFor, lockCustomers } from '../../people/customers/index.ts';
import { checkLanguages, type Translation } from '../policies/index.ts';
import { insertRow, takeId, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { purposeOf, SEES_SIGNATURES } from './waiver.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { signerOf } from './rules/signing.ts';
import { takeDrawing } from './drawing.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { waiverAgreementFeed } from './feed.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Wording {
  readonly text: string;
  readonly translations?: readonly Translation[];
  readonly ask_again?: boolean;
}

/** Adds a version to a waiver. */
export async function publish(work: Work, waiver: number, number: number, wording: Wording): Promise<void> {
  const { text, translations = [], ask_again = true } = wording;
  checkLanguages(translations);
  await insertRow(work, 'waiver_version', {
    waiver_id: waiver,
    number,
    text,
    translations: json(translations),
    asks_again: ask_again,
  });
}

interface Latest {
  readonly id: number;
  readonly number: number;
  readonly text: string;
  readonly translations: readonly Translation[];
  readonly asksAgain: boolean;
}

const latestOf = async ({ tx, providerId }: Work, waiver: number): Promise<Latest> =>
  (await tx.one<Latest>(
    sql`SELECT id, number, text, translations, asks_again AS "asksAgain" FROM waiver_version
      WHERE provider_id = ${providerId} AND waiver_id = ${waiver} ORDER BY number DESC LIMIT 1`,
  ))!;

/**
 * Publishes a version if the text or its translations change, and returns whether they do. If not, only whether it asks
 * again may change.
 */
export async function publishChange(work: Work, waiver: number, sent: Partial<Wording>): Promise<boolean> {
  const latest = await latestOf(work, waiver);
  const { text = latest.text, translations = latest.translations, ask_again } = sent;
  const same = text === latest.text && isDeepStrictEqual([...translations], latest.translations);
  if (!same) await publish(work, waiver, latest.number + 1, { ...sent, text, translations });
  else if (ask_again !== undefined && ask_again !== latest.asksAgain)
    await updateRow(work, 'waiver_version', latest.id, { asks_again: ask_again });
  return !same;
}

interface Signing {
  readonly waiver: number;
  readonly customer?: number;
  readonly signature_image?: Buffer | null;
  readonly signer_name?: string;
  readonly language?: string;
  readonly version?: number;
}

const nameOf = (row: Row<'customer'>): string => [row.first_name, row.last_name].filter(Boolean).join(' ');
const spelled = (name: string): string => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** Stores a signature and returns its id. `ip`: address of the client. */
export async function sign(work: Work, sent: Signing, ip: string): Promise<number> {
  const { tx, providerId, viewer, now } = work;
  const customer = sent.customer ?? viewer.customerId!;
  if (viewer.mode === 'provider' && !may(viewer, ...SEES_SIGNATURES))
    throw new Problem(
      'permission_denied',
      'You need one of the permissions `customers`, `attendances`, `instructor_attendances` and `pos`.',
    );
  await checkActsFor(work, customer);
  const byFamily = viewer.customerId !== null && viewer.customerId !== customer;
  const rows = await lockCustomers(work, byFamily ? [customer, viewer.customerId!] : [customer]);
  const row = rows.find(({ id }) => id === customer);
  if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${customer}.`);
  const waiver = (await tx.one<Row<'waiver'>>(
    sql`SELECT * FROM waiver WHERE provider_id = ${providerId} AND id = ${sent.waiver} FOR SHARE`,
  ))!;
  if (waiver.archived) throw new Problem('conflict', 'This waiver is archived. Nobody signs it any more.');
  const version = await latestOf(work, waiver.id);
  if (sent.version !== undefined && sent.version !== version.number)
    throw new Problem('conflict', {
      staff: `This version is no longer current. Version ${version.number} is. Read it, and sign that.`,
      customer: say`The text has changed in the meantime. Read the new one, and sign again.`,
    });
  const acting = byFamily ? rows.find(({ id }) => id === viewer.customerId)! : row;
  const name = sent.signer_name ?? nameOf(acting);
  const by = signerOf(
    { guardianUnder: waiver.guardian_under_age, born: row.date_of_birth },
    wallAt(now, work.tenant.zone).date,
  );
  if (name === '') throw invalid('signer_name', say`Type your full name.`);
  if (by === 'guardian' && !byFamily && spelled(name) === spelled(nameOf(row)))
    throw invalid('signer_name', say`A parent or guardian signs this. Type their name.`);
  const image = sent.signature_image ?? null;
  if (waiver.signature_image_required && image === null) throw invalid('signature_image', say`Draw your signature.`);
  const id = await takeId(work, 'waiver_agreement');
  const { box } = work.installation;
  const language = version.translations.some((one) => one.language === sent.language) ? sent.language : null;
  await insertRow(work, 'waiver_agreement', {
    id,
    waiver_id: waiver.id,
    waiver_version_id: version.id,
    customer_id: customer,
    signed_at: instant(now),
    title: waiver.name,
    customer_name: nameOf(row),
    signer_name: name,
    language,
    sealed: image === null ? null : box.seal(purposeOf(providerId, id), takeDrawing(image)),
    by_customer_id: byFamily ? viewer.customerId : null,
    by_staff_id: viewer.mode === 'provider' ? viewer.staffId : null,
    address_hash: box.fingerprint(`agreement:${providerId}`, ip).toString('base64url'),
  });
  work.record(waiverAgreementFeed.created, id, { waiver_agreement: id, waiver: waiver.id, customer });
  return id;
}
