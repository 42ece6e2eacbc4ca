/** People who connect assistants, for tests of their endpoint. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  across,
  newApplication,
  newPerson,
  tokensFor,
  type Held,
  type TestApplication,
  type TestPerson,
} from './oauth-world.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { StaffPermission } from '../../areas/people/staff/index.ts';
import type { World } from '../world.ts';

export type Era = '2025-11-25' | '2026-07-28';

export class AssistantWorld {
  readonly world: World;
  readonly app: TestApplication;

  private constructor(world: World, app: TestApplication) {
    this.world = world;
    this.app = app;
  }

  static async on(world: World): Promise<AssistantWorld> {
    return new AssistantWorld(
      world,
      await newApplication(world, { name: 'Otter', is_public: true, is_assistant: true }),
    );
  }

  async newStaff(permissions: readonly StaffPermission[] = ['super_admin']): Promise<TestPerson & { staff: number }> {
    const { world } = this;
    const person = await newPerson(world);
    const row = await across(world, (tx) =>
      tx.one<{ id: number }>(
        sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email, permissions)
          VALUES (${world.harbour}, ${person.userId}, 'Ada', 'Byron', ${person.email}, ${permissions}) RETURNING id`,
      ),
    );
    return { ...person, staff: row!.id };
  }

  async newMember(): Promise<TestPerson & { customer: number }> {
    const { world } = this;
    const person = await newPerson(world);
    const customer = await world.newCustomer({ user_id: person.userId, email: person.email, first_name: 'Mo' });
    return { ...person, customer };
  }

  /** Returns the tokens of an assistant that the person let in. */
  tokens(person: TestPerson, { entrance = 'mcp', scope = 'read_write' } = {}): Promise<Held> {
    return tokensFor(this.world, this.app, person, { scope, resource: `${this.world.url}/${entrance}` });
  }

  /** Connects the official client. */
  async connect(token: string, { entrance = 'mcp', era = '2026-07-28' as Era } = {}): Promise<Client> {
    const mode = era === '2026-07-28' ? 'auto' : 'legacy';
    const client = new Client({ name: 'a test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${this.world.url}/${entrance}`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    return this.world.closing(client);
  }

  async assistantFor(
    person: TestPerson,
    options: { entrance?: string; scope?: string; era?: Era } = {},
  ): Promise<Client> {
    return this.connect((await this.tokens(person, options)).access_token, options);
  }
}

/** Calls a tool and returns the text of its answer. */
export async function say(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

/** Returns the data of an answer. */
export function dataIn(text: string): any {
  const [, name, json] = /<(data-[0-9a-f]+)>\n([^]*)\n<\/\1>/.exec(text) ?? [];
  if (!name) throw new Error(`no data in ${text}`);
  return JSON.parse(json);
}
