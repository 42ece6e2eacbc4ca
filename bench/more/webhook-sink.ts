/**
 * A receiver of webhooks that only counts, in a separate process. Given a number by `message`, it reports when this
 * many more have arrived.
 */
import http from 'node:http';

let left = 0;
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end();
    if (left > 0 && --left === 0) process.send!({ done: Date.now() });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('message', (n) => {
  left = n as number;
  process.send!({ counting: true });
});
process.on('disconnect', () => process.exit(0));
