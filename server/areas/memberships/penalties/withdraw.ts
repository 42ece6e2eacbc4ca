import { sql } from '../../../kernel/db/sql.ts';
import { withdrawMessages } from '../../communication/messages/index.ts';
import type { Work } from '../../../kernel/work.ts';

/** Takes back what is not sent yet: nobody is told of what was forgiven meanwhile. */
export async function withdraw(work: Work, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = await work.tx.rows<{ key: string }>(
    sql`SELECT key FROM message WHERE provider_id = ${work.providerId} AND id = ANY(${messages}::bigint[])`,
  );
  await withdrawMessages(
    work,
    rows.map(({ key }) => key),
  );
}
