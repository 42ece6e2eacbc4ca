// The port of the service, looked at before anything is created. Plain JavaScript, because the launcher uses it.
import { createServer } from 'node:net';

/**
 * @param {number | undefined} port
 * @returns {string} the message for people
 */
export const portInUse = (port) =>
  `Port ${port} is in use by another program. Remedy: stop that program, or choose another port: PORT=${(port ?? 8080) + 1}.`;

/**
 * Returns the message if another program uses the port of the service; null: it is free, or the service itself
 * explains what is wrong with its settings.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>}
 */
export function portProblem({ PORT = '8080', HOST = '0.0.0.0', ROLE }) {
  if (ROLE === 'worker' || !/^\d{1,5}$/.test(PORT) || Number(PORT) > 65535) return Promise.resolve(null);
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) =>
      resolve('code' in error && error.code === 'EADDRINUSE' ? portInUse(Number(PORT)) : null),
    );
    probe.listen({ host: HOST, port: Number(PORT) }, () => probe.close(() => resolve(null)));
  });
}
