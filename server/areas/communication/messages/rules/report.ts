/** What a report of a mail server (RFC 3464) says of a mail, from the fields of its machine-readable part. */
export type Report =
  /** `address`: there is no such mailbox */
  | { readonly verdict: 'failed'; readonly address: boolean; readonly code: string | null }
  | { readonly verdict: 'delayed'; readonly code: string | null }
  | { readonly verdict: 'delivered' }
  /** the person told the mail service that it is unwanted (RFC 5965) */
  | { readonly verdict: 'complained' };

/** Fields of a header-like text by their name in lower case; of one that is there more than once, the first. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z-]{1,60}):\s*(.{0,1000})/.exec(line) ?? [];
    if (name !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Null: it says nothing that matters, as a report of a mail that was relayed. */
export function readDeliveryStatus(text: string): Report | null {
  const fields = fieldsOf(text);
  const action = fields.get('action')?.toLowerCase();
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '')?.[1] ?? null;
  if (action === 'delivered') return { verdict: 'delivered' };
  if (action === 'delayed') return { verdict: 'delayed', code };
  if (action !== 'failed') return null;
  // Of what failed, 5.1.x says that the address is wrong, 5.2.1 that the mailbox is closed; a full one, a large mail, a
  // policy or a time that ran out may be otherwise tomorrow.
  return {
    verdict: 'failed',
    address: code !== null && (/^5\.1\.(?!8)/.test(code) || code === '5.2.1' || code === '5.0.0'),
    code,
  };
}

export const readFeedback = (text: string): Report | null =>
  fieldsOf(text).get('feedback-type')?.toLowerCase() === 'abuse' ? { verdict: 'complained' } : null;
