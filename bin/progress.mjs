// Progress of what takes long, for people who watch a start. Plain JavaScript, because the launcher uses it too.

const EVERY_MS = 2500;

/**
 * Prints what is being done, and again every few seconds until it ends.
 * @template T
 * @param {string} doing for example 'creating the database'
 * @param {Promise<T>} work
 * @param {{ everyMs?: number, print?: (line: string) => void }} [options]
 * @returns {Promise<T>}
 */
export async function withProgress(doing, work, { everyMs = EVERY_MS, print = console.log } = {}) {
  print(`${doing[0].toUpperCase()}${doing.slice(1)} …`);
  let waited = 0;
  const timer = setInterval(() => {
    waited += everyMs;
    print(`Still ${doing} (${Math.round(waited / 1000)} s) …`);
  }, everyMs);
  timer.unref();
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
