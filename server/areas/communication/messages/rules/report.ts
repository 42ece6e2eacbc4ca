/** Interprets a mail server's report (RFC 3464) on an email, from the fields of its machine-readable part. */
export type Report =
  /** `address`: the mailbox does not exist */
  | { readonly verdict: 'failed'; readonly address: boolean; readonly code: string | null }
  | { readonly verdict: 'delayed'; readonly code: string | null }
  | { readonly verdict: 'delivered' }
  /** the person reported the email as unwanted to the mail service (RFC 5965) */
  | { readonly verdict: 'complained' };

/** Returns the fields of a header-like text by their name in lower case; if a field is repeated, the first. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z-]{1,60}):\s*(.{0,1000})/.exec(line) ?? [];
    if (name !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Returns the report; null if it says nothing relevant, such as one about a relayed email. */
export function readDeliveryStatus(text: string): Report | null {
  const fields = fieldsOf(text);
  const action = fields.get('action')?.toLowerCase();
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '')?.[1] ?? null;
  if (action === 'delivered') return { verdict: 'delivered' };
  if (action === 'delayed') return { verdict: 'delayed', code };
  if (action !== 'failed') return null;
  // Among failures, 5.1.x means that the address is wrong, 5.2.1 that the mailbox is closed; a full mailbox, a large
  // email, a policy or a timeout may be over tomorrow.
  return {
    verdict: 'failed',
    address: code !== null && (/^5\.1\.(?!8)/.test(code) || code === '5.2.1' || code === '5.0.0'),
    code,
  };
}

export const readFeedback = (text: string): Report | null =>
  fieldsOf(text).get('feedback-type')?.toLowerCase() === 'abuse' ? { verdict: 'complained' } : null;
