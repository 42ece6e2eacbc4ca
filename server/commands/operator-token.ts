import { createOperatorToken, revokeOperatorToken } from '../areas/people/identity/index.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, requiredOption, say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';
import { parseExpiry, LIFETIME, lifetime, type Lifetime } from './token.ts';

export const createOperator: Command = {
  name: 'operator-token create',
  summary: 'Create an operator token for your own program and print it, only this once',
  details: 'It gives access to what the operator decides, at every business, but not to the data of a business.',
  options: {
    name: { type: 'string', value: 'NAME', description: 'who will use it' },
    expires: {
      type: 'string',
      value: 'DATE',
      description: 'first day on which it no longer works, for example 2027-01-01, in UTC',
    },
  },
  async run(given) {
    const name = requiredOption(given, 'name');
    const expiresAt = parseExpiry(textOption(given, 'expires'), 'UTC');
    const { token } = await withDatabase((db) =>
      db.acrossTenants('an operator makes a token of its own', (tx) => createOperatorToken(tx, { name, expiresAt })),
    );
    say(token);
    return 0;
  },
};

export const listOperators: Command = {
  name: 'operator-token list',
  summary: 'List operator tokens, without their secrets; times are in UTC',
  async run() {
    const rows = await withDatabase((db) =>
      db.acrossTenants('an operator lists its own tokens', (tx) =>
        tx.rows<Lifetime & { id: number; name: string; token_hint: string }>(
          sql`SELECT id, name, token_hint, created_at, expires_at, revoked_at, last_used_at FROM operator_token
            ORDER BY id`,
        ),
      ),
    );
    const now = commandTime();
    say(
      table(
        ['id', 'name', 'begins with', ...LIFETIME],
        rows.map((r) => [String(r.id), r.name, r.token_hint, ...lifetime(r, now)]),
      ),
    );
    return 0;
  },
};

export const revokeOperator: Command = {
  name: 'operator-token revoke',
  summary: 'Revoke an operator token',
  positionals: ['ID'],
  async run({ positionals }) {
    const id = wholeId(positionals[0], 'ID');
    const ended = await withDatabase((db) =>
      db.acrossTenants('an operator ends one of its own tokens', (tx) => revokeOperatorToken(tx, id)),
    );
    if (!ended)
      throw new CommandFailure(`There is no active operator token ${id}. Remedy: see "rollcall operator-token list".`);
    say(`Operator token ${id} no longer works.`);
    return 0;
  },
};
