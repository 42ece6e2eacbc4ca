/** The protocol's own conformance suite, as far as it needs no tools made for it. Rare: the clients find most of it. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { createServer, request, type Server } from 'node:http';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AssistantWorld } from '../../../test/worlds/assistant-world.ts';
import { everything, rare } from '../../../test/rare.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { AddressInfo } from 'node:net';

/**
 * The others call tools named `test_…` with fixed answers, or need prompts, completion, subscriptions and logs, which
 * this endpoint doesn't offer.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];
const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

let world: World;
let between: Server;
if (everything)
  before(async () => {
    world = await startWorld();
    const a = await AssistantWorld.on(world);
    between = await addToken(world.url, (await a.tokens(await a.newStaff())).access_token);
  });
after(async () => {
  between?.close();
  await world?.close();
});

/** The suite can't log in: starts a server in front of the service that adds a token to each request. */
async function addToken(url: string, token: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const local = (value: string | undefined) => value?.replace(/localhost:\d+/, own).replace(own, new URL(url).host);
    const { host, origin, ...headers } = incoming.headers;
    const there = request(new URL(incoming.url!, url), {
      method: incoming.method,
      headers: {
        ...headers,
        host: local(host),
        ...(origin && { origin: local(origin) }),
        authorization: `Bearer ${token}`,
      },
    });
    there.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    there.on('error', () => outgoing.destroy());
    incoming.pipe(there);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const run = (scenario: string): Promise<{ readonly failed: boolean; readonly output: string }> =>
  new Promise((done) => {
    const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}/mcp`;
    execFile(process.execPath, [SUITE, 'server', '--url', url, '--scenario', scenario], (error, out, err) =>
      done({ failed: error !== null, output: out + err }),
    );
  });

for (const scenario of SCENARIOS)
  rare(`the endpoint passes “${scenario}” of the protocol's conformance suite`, async () => {
    const { failed, output } = await run(scenario);
    assert.ok(!failed, output);
    assert.match(output, /Passed: [1-9]\d*\/\d+, 0 failed/, output);
  });
