/**
 * Returns the result, or null if it failed or did not arrive before the deadline, milliseconds on the clock of this
 * process.
 */
export async function inTime<T>(asked: Promise<T>, deadline: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, deadline - performance.now()));
  });
  return Promise.race([asked.catch(() => null), late]).finally(() => clearTimeout(timer));
}
