/** Checks that assistants reach their endpoint, if anybody has connected one. */
import type { Check, Finding } from './doctor-finding.ts';

const TIMEOUT_MS = 5000;
const PATH = '/.well-known/oauth-protected-resource/mcp';

/** Returns what the endpoint publishes about itself, or why it can't be read. */
async function published(address: string): Promise<{ resource: unknown } | { failed: string }> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status !== 200) return { failed: `status ${answer.status}` };
    return { resource: ((await answer.json()) as { resource?: unknown } | null)?.resource };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failed: cause instanceof Error ? cause.message : message };
  }
}

export const assistants: Check = async (client, _now, { publicUrl }) => {
  const {
    rows: [{ used }],
  } = await client.query<{ used: boolean }>(
    `SELECT EXISTS (SELECT FROM app_authorization WHERE entrance <> 'interface' AND ended_at IS NULL) AS used`,
  );
  if (!used) return { findings: [] };
  const findings: Finding[] = [];
  const url = publicUrl === undefined ? null : new URL(publicUrl);
  if (url === null || url.protocol !== 'https:')
    return {
      findings: [
        {
          wrong: 'People have connected assistants, and the service has no public address with https://.',
          remedy: 'Set PUBLIC_URL to its address on the internet (docs/guide/assistants.md).',
        },
      ],
    };
  if (url.port !== '')
    findings.push({
      wrong: `The service is at port ${url.port}. Many assistants call port 443 only.`,
      remedy: 'Serve it at port 443, for example behind a proxy, and set PUBLIC_URL without a port.',
    });
  const expected = `${publicUrl}/mcp`;
  const found = await published(`${publicUrl}${PATH}`);
  if ('failed' in found)
    findings.push({
      wrong: `Assistants don't find the log-in: ${publicUrl}${PATH} can't be read (${found.failed}).`,
      remedy: 'Pass all paths below /.well-known/ and /mcp on to the service, in the proxy in front of it.',
    });
  else if (found.resource !== expected)
    findings.push({
      wrong: `Assistants see the endpoint as ${JSON.stringify(found.resource)} instead of ${expected}.`,
      remedy: 'Set PUBLIC_URL alike for every process, and restart the service.',
    });
  return { findings };
};
