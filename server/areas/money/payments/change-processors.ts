import { changes } from '../../../kernel/api/resource-changes.ts';
/** The settings of payment processors. Secrets are sealed for their row, and never shown again. */
import { boolean, map } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { Issues, Problem } from '../../../kernel/base/problem.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { paymentProcessor } from './payment-processor.ts';
import { paymentProcessorFeed } from './feed.ts';
import { processorOf, PROCESSORS } from './processors.ts';
import { purposeOf } from './context.ts';
import { at, type ProcessorRow } from './rows.ts';
import type { Processor, ProcessorName } from './processor.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const f = paymentProcessor.fields;
/** More would be a mistake, or an attempt to fill the database. */
const MAX_PROCESSORS = 50;

const described = PROCESSORS.filter(({ settings }) => settings.length > 0)
  .map(
    (kind) =>
      `\`${kind.name}\`: ${kind.settings.map((s) => `\`${s.name}\` (${s.description}${s.secret ? ' Secret.' : ''})`).join(', ')}`,
  )
  .join('; ');

const settings = map().describe(
  `Settings by name. Settings that are not sent stay as they are; null removes one. By kind: ${described}.`,
);

interface Settings {
  readonly plain: Record<string, string>;
  readonly secret: Record<string, string>;
}

/** Merges the stored settings with those that were sent. @throws Problem that names each setting that is wrong */
function settingsOf(kind: Processor, before: Settings, sent: Record<string, unknown>): Settings {
  const issues = new Issues();
  const after: Settings = { plain: { ...before.plain }, secret: { ...before.secret } };
  const known = new Map(kind.settings.map((setting) => [setting.name, setting]));
  for (const [name, value] of Object.entries(sent)) {
    const setting = known.get(name);
    const path = `settings.${name}`;
    if (!setting) {
      issues.addUnknown(path, 'setting', () => [...known.keys()].join(' or ') || undefined);
      continue;
    }
    const into = setting.secret ? after.secret : after.plain;
    if (value === null) delete into[name];
    else if (typeof value === 'string' && value.length <= 5000 && setting.pattern.test(value.trim()))
      into[name] = value.trim();
    else issues.add(path, setting.hint);
  }
  for (const { name, secret, required, make } of kind.settings) {
    const into = secret ? after.secret : after.plain;
    if (into[name] === undefined && make) into[name] = make();
    if (into[name] === undefined && required) issues.add(`settings.${name}`, 'This setting is required.');
  }
  issues.throwIfAny();
  return after;
}

/** Returns the columns of a row whose id is known: secrets are sealed for that id. */
function columnsOf(work: Work, id: number, { plain, secret }: Settings) {
  const names = Object.keys(secret).toSorted();
  const purpose = purposeOf(work.providerId, id);
  return {
    settings: json(plain),
    secrets: names,
    sealed: names.length === 0 ? null : work.installation.box.seal(purpose, JSON.stringify(secret)),
  };
}

interface NewProcessor {
  readonly kind: ProcessorName;
  readonly name: string;
  readonly settings?: Record<string, unknown>;
  readonly is_enabled?: boolean;
}

/** Creates a payment processor and returns its id. */
export async function createProcessor(work: Work, values: NewProcessor): Promise<number> {
  const { tx, providerId } = work;
  // Concurrent requests to add a processor wait for each other: otherwise, both could take the last free slot.
  await tx.run(sql`SELECT pg_advisory_xact_lock(771031, ${providerId % 2_147_483_647}::int)`);
  const { n } = (await tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM payment_processor WHERE provider_id = ${providerId}`,
  ))!;
  if (n >= MAX_PROCESSORS)
    throw new Problem('conflict', `There are ${n} payment processors already. Change one that is turned off instead.`);
  const kind = processorOf(values.kind);
  if (work.tenant.testClock && !kind.forTests)
    throw new Problem(
      'conflict',
      `This is a test business, which takes no real money: \`${values.kind}\` can’t be used. Add \`sandbox\` or \`offline\`.`,
    );
  const given = settingsOf(kind, { plain: {}, secret: {} }, values.settings ?? {});
  const id = await insertRow(work, 'payment_processor', {
    kind: values.kind,
    name: values.name,
    disabled_at: values.is_enabled === false ? at(work) : null,
  });
  await updateRow(work, 'payment_processor', id, columnsOf(work, id, given));
  work.record(paymentProcessorFeed.created, id, { payment_processor: id });
  return id;
}

/** Turns off all sandboxes, so that customers can no longer pay with them. Returns their ids. */
export async function disableSandboxes(work: Work): Promise<number[]> {
  const { tx, providerId } = work;
  const found = await tx.rows<{ id: number }>(
    sql`SELECT id FROM payment_processor WHERE provider_id = ${providerId} AND kind = 'sandbox' AND disabled_at IS NULL
      ORDER BY id`,
  );
  for (const { id } of found) {
    await updateRow(work, 'payment_processor', id, { disabled_at: at(work) });
    work.record(paymentProcessorFeed.updated, id, { payment_processor: id, changed: ['is_enabled'] });
  }
  return found.map(({ id }) => id);
}

export const changeProcessors = changes(paymentProcessor, {
  path: '/payment_processors',
  noun: 'payment processor',
  who,
  body: { name: f.name, settings: settings.optional(), is_enabled: boolean().optional() },
  first: { kind: f.kind, name: f.name, settings: settings.optional(), is_enabled: boolean().default(true) },
  create: {
    summary: 'Add a payment processor',
    description:
      'Secret settings are encrypted, and never shown again. Test businesses can only use `sandbox` and `offline`.',
    problems: ['conflict'],
    run: ({ work, body }) => createProcessor(work, body as NewProcessor),
  },
  update: {
    description: 'The kind can’t change: add another one, and turn this one off.',
    run: async ({ work, body, target }) => {
      const row = target as ProcessorRow;
      const changed = changedNames(body);
      if (changed.length === 0) return;
      const { disabled_at } = row;
      await updateRow(work, 'payment_processor', row.id, {
        name: body.name,
        ...(body.settings &&
          columnsOf(work, row.id, settingsOf(processorOf(row.kind), opened(work, row), body.settings))),
        disabled_at:
          body.is_enabled === undefined
            ? undefined
            : body.is_enabled
              ? null
              : disabled_at === null
                ? at(work)
                : undefined,
      });
      work.record(paymentProcessorFeed.updated, row.id, { payment_processor: row.id, changed });
    },
  },
});

/** Opens the stored secrets. If their key is no longer known, none can be kept: all secrets have to be sent again. */
function opened(work: Work, row: ProcessorRow): Settings {
  if (row.sealed === null) return { plain: { ...row.settings }, secret: {} };
  try {
    const text = work.installation.box.open(purposeOf(work.providerId, row.id), row.sealed);
    return { plain: { ...row.settings }, secret: JSON.parse(text) };
  } catch {
    return { plain: { ...row.settings }, secret: {} };
  }
}
