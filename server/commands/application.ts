/** The operator's decisions about applications: whether they may take passwords, and how far they reach. */
import {
  approveDirectAuth,
  changeApplication,
  directAuthRefusal,
  lockApplication,
  refuseDirectAuth,
  type DirectAuthStatus,
} from '../areas/people/applications/index.ts';
import { findTenant } from '../areas/platform/providers/index.ts';
import { endWork } from '../kernel/work/unit/background-work.ts';
import { commandTime } from './command-time.ts';
import {
  CommandFailure,
  requiredOption,
  say,
  textOption,
  UsageError,
  wholeId,
  type Command,
  type Given,
  type Option,
} from './command.ts';
import { ownViewer } from '../kernel/work/access/viewer.ts';
import { registry } from '../app.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { table } from './table.ts';
import { withDatabase } from './installation.ts';
import { businessTime, Work } from '../kernel/work/unit/work.ts';

interface Row {
  provider_id: number;
  id: number;
  name: string;
  first_party: boolean;
  installation_wide: boolean;
  direct_auth_status: DirectAuthStatus;
  direct_auth_use_case: string | null;
}

const yes = (on: boolean): string => (on ? 'yes' : 'no');

export const listApplications: Command = {
  name: 'application list',
  summary: 'List the applications of every business, and what they request',
  async run() {
    const rows = await withDatabase((db) =>
      db.acrossTenants('an operator lists the applications', (tx) =>
        tx.rows<Row>(
          sql`SELECT id, provider_id, name, first_party, installation_wide, direct_auth_status, direct_auth_use_case
            FROM application WHERE deleted_at IS NULL ORDER BY id`,
        ),
      ),
    );
    say(
      table(
        ['id', 'provider', 'name', 'first-party', 'installation-wide', 'direct auth', 'use case'],
        rows.map((r) => [
          String(r.id),
          String(r.provider_id),
          r.name,
          yes(r.first_party),
          yes(r.installation_wide),
          r.direct_auth_status,
          (r.direct_auth_use_case ?? '-').replaceAll(/\s+/g, ' '),
        ]),
      ),
    );
    return 0;
  },
};

/** Acts on one application at its business; the audit there names the operator. */
const decide = <T>(given: Given, act: (work: Work, row: Row) => Promise<T>): Promise<T> => {
  const id = wholeId(given.positionals[0], 'ID');
  return withDatabase((db) =>
    db.acrossTenants('an operator decides about an application of any business', async (tx) => {
      const unknown = new CommandFailure(`There is no application ${id}. Remedy: see "rollcall application list".`);
      const at = await tx.one<{ provider_id: number }>(sql`SELECT provider_id FROM application WHERE id = ${id}`);
      const tenant = at && (await findTenant(tx, at.provider_id));
      if (!tenant) throw unknown;
      const declared = registry();
      const work = new Work({
        tx,
        registry: declared,
        tenant,
        viewer: ownViewer(tenant.providerId, 'operator'),
        now: businessTime(tenant, commandTime()),
        requestId: 'command',
      });
      const row = (await lockApplication(work, id)) as Row | undefined;
      if (!row) throw unknown;
      const result = await act(work, row);
      await endWork(work, declared, 'rollcall application');
      return result;
    }),
  );
};

function checkStep(step: 'approve' | 'refuse', { id, direct_auth_status }: Row): void {
  const refusal = directAuthRefusal(step, direct_auth_status);
  if (refusal) throw new CommandFailure(`Application ${id}: ${refusal} Remedy: see "rollcall application list".`);
}

export const approveDirectAuthCommand: Command = {
  name: 'application approve-direct-auth',
  summary: 'Let an application take passwords, and print its key, only this once',
  details:
    'Read its use case in "rollcall application list" first: it will see people’s passwords, which they may also use elsewhere.',
  positionals: ['ID'],
  async run(given) {
    const key = await decide(given, async (work, row) => {
      checkStep('approve', row);
      await approveDirectAuth(work, row.id);
      return String(work.revealed!.direct_auth_key);
    });
    say(key);
    return 0;
  },
};

export const refuseDirectAuthCommand: Command = {
  name: 'application refuse-direct-auth',
  summary: 'Refuse to let an application take passwords, or withdraw the approval',
  details: 'If it is withdrawn, its key and every token that was issued with it end immediately.',
  positionals: ['ID'],
  options: { reason: { type: 'string', value: 'TEXT', description: 'the reason that the business sees' } },
  async run(given) {
    const reason = requiredOption(given, 'reason');
    if (reason.length > 1000) throw new UsageError('--reason must be at most 1000 characters long.');
    await decide(given, async (work, row) => {
      checkStep('refuse', row);
      await refuseDirectAuth(work, row.id, reason);
    });
    say(`Application ${given.positionals[0]} may not take passwords.`);
    return 0;
  },
};

const yesOrNo = (description: string): Option => ({ type: 'string', value: 'yes|no', description });

function flag(given: Given, name: string): boolean | undefined {
  const text = textOption(given, name);
  if (text !== undefined && text !== 'yes' && text !== 'no')
    throw new UsageError(`--${name} must be yes or no, not "${text}".`);
  return text === undefined ? undefined : text === 'yes';
}

export const setApplication: Command = {
  name: 'application set',
  summary: 'Set whether an application is your own, and whether it has access to every business',
  positionals: ['ID'],
  options: {
    'first-party': yesOrNo('people are not asked for consent'),
    'installation-wide': yesOrNo('has access to every business, not only its own'),
  },
  async run(given) {
    const values = { first_party: flag(given, 'first-party'), installation_wide: flag(given, 'installation-wide') };
    if (values.first_party === undefined && values.installation_wide === undefined)
      throw new UsageError('Choose what to set: --first-party or --installation-wide.');
    const changed = Object.entries({
      is_first_party: values.first_party,
      is_installation_wide: values.installation_wide,
    })
      .filter(([, v]) => v !== undefined)
      .map(([name]) => name);
    await decide(given, (work, row) => changeApplication(work, row.id, values, changed));
    say(`Updated application ${given.positionals[0]}.`);
    return 0;
  },
};
